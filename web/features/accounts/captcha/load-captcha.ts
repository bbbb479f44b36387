import { CAPTCHA_PROVIDERS, type CaptchaProvider } from '#contract/choices.ts';

/** What a server wants a reader to be asked. */
export interface CaptchaChallenge {
  provider: CaptchaProvider;
  siteKey: string;
  /** The provider's own script, which draws the question. */
  script: string;
}

/** The part that the three providers' scripts have in common. */
interface CaptchaApi {
  render(place: HTMLElement, options: Record<string, unknown>): unknown;
  ready?(then: () => void): void;
}

const GLOBALS = { turnstile: 'turnstile', hcaptcha: 'hcaptcha', recaptcha: 'grecaptcha' } as const;

const loading = new Map<string, Promise<CaptchaApi>>();

/** The question that a refusal of the server carries; null for one of a provider that is not known here. */
export function readChallenge(params: Readonly<Record<string, unknown>>): CaptchaChallenge | null {
  const provider = CAPTCHA_PROVIDERS.find((one) => one === params.provider);
  const { siteKey, script } = params;
  return provider ? { provider, siteKey: String(siteKey), script: String(script) } : null;
}

/** Loads the provider's script once; one that failed is tried again. Rejects when it cannot be had. */
export function loadCaptcha({ provider, script }: CaptchaChallenge): Promise<CaptchaApi> {
  const known = loading.get(script);
  if (known) return known;
  const loaded = loadScript(script).then(() => readApi(provider));
  loading.set(script, loaded);
  loaded.catch(() => loading.delete(script));
  return loaded;
}

function loadScript(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = source;
    element.onload = () => resolve();
    element.onerror = () => {
      element.remove();
      reject(new Error('the captcha script did not load'));
    };
    document.head.append(element);
  });
}

async function readApi(provider: CaptchaProvider): Promise<CaptchaApi> {
  const api = (window as unknown as Record<string, CaptchaApi | undefined>)[GLOBALS[provider]];
  if (!api) throw new Error('the captcha script brought nothing');
  // Google's script loads a second one; Turnstile's own `ready` refuses to be used with a script that was added later.
  if (provider === 'recaptcha') await new Promise<void>((resolve) => api.ready?.(resolve));
  return api;
}
