/** Who can distinguish people from programs for us. */
export const CAPTCHA_PROVIDERS = ['turnstile', 'hcaptcha', 'recaptcha'] as const;
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number];

/** The header in which a form hands in the proof that its reader is no program. */
export const CAPTCHA_HEADER = 'x-captcha-token';
