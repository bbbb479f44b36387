/** The lists to choose from that both sides share, apart from the schemas so that a page that needs one does not load zod. */

export const LANGUAGES = ['zh', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a document of a language says that it is, as `lang` and as the locale of numbers and dates. */
export const LANGUAGE_TAG: Record<Language, string> = { zh: 'zh-CN', en: 'en' };

/** The language that a reader of this one can change to. */
export const OTHER_LANGUAGE: Record<Language, Language> = { zh: 'en', en: 'zh' };

/** The first part of a path in one of the languages, for a regular expression: `zh|en`. */
export const LANGUAGE_PATTERN = LANGUAGES.join('|');

/** The plans that are sold. */
export const PLAN_KEYS = ['gemini_basic', 'gemini_pro'] as const;
/** The plan whose button stands out where plans are offered. */
export const HIGHLIGHTED_PLAN: (typeof PLAN_KEYS)[number] = 'gemini_pro';

/** Who takes payments for us. */
export const PROVIDERS = ['creem', 'bagelpay'] as const;
export type Provider = (typeof PROVIDERS)[number];

export const PROVIDER_NAME: Record<Provider, string> = { creem: 'Creem', bagelpay: 'BagelPay' };

/** Who can distinguish people from programs for us. */
export const CAPTCHA_PROVIDERS = ['turnstile', 'hcaptcha', 'recaptcha'] as const;
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number];

/** The header in which a form hands in the proof that its reader is no program. */
export const CAPTCHA_HEADER = 'x-captcha-token';

/** The cookie with the session's half of the key to what a browser keeps for reading without a network; `__Host-` stands before it on https. */
export const OFFLINE_KEY_COOKIE = 'parley.offline_key';
