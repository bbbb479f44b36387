import type { CaptchaProvider } from '#contract/choices.ts';
import type { CaptchaSettings } from '#server/config.ts';

interface CaptchaAddresses {
  /** Where a proof is checked: all three speak one wire. */
  verify: string;
  /** What draws the question into a page. */
  script: string;
  /** What a page must be allowed to load for it, as each of them documents. */
  sources: readonly string[];
}

const PROVIDERS: Record<CaptchaProvider, CaptchaAddresses> = {
  // https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
  turnstile: {
    verify: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    sources: ['https://challenges.cloudflare.com'],
  },
  // https://docs.hcaptcha.com/
  hcaptcha: {
    verify: 'https://api.hcaptcha.com/siteverify',
    script: 'https://js.hcaptcha.com/1/api.js?render=explicit',
    sources: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  },
  // https://developers.google.com/recaptcha/docs/verify
  recaptcha: {
    verify: 'https://www.google.com/recaptcha/api/siteverify',
    script: 'https://www.google.com/recaptcha/api.js?render=explicit',
    sources: [
      'https://www.google.com/recaptcha/',
      'https://www.gstatic.com/recaptcha/',
      'https://recaptcha.google.com/recaptcha/',
    ],
  },
};

/** The addresses of the provider that is set; with a base of its own, all of them are there. */
export function captchaAddresses({ provider, baseUrl }: CaptchaSettings): CaptchaAddresses {
  if (baseUrl === null) return PROVIDERS[provider];
  const { origin } = new URL(baseUrl);
  return { verify: `${baseUrl}/siteverify`, script: `${baseUrl}/api.js`, sources: [origin] };
}
