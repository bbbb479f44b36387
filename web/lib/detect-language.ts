import LanguageDetector from 'i18next-browser-languagedetector';
import { DEFAULT_LANGUAGE, type Language, languageOfPath, toLanguage } from './language.ts';

const DAYS_REMEMBERED = 365;

const detector = new LanguageDetector(
  { languageUtils: { getBestMatchFromCodes: () => undefined } },
  {
    order: ['querystring', 'cookie', 'localStorage', 'navigator'],
    caches: ['localStorage', 'cookie'],
    lookupQuerystring: 'lang',
    lookupCookie: 'lang',
    lookupLocalStorage: 'lang',
    cookieMinutes: 60 * 24 * DAYS_REMEMBERED,
    cookieOptions: { path: '/', sameSite: 'lax' },
  },
);

/** The first of the reader's languages, in the order given, that is ours; zh when none is. */
export function preferredLanguage(tags: readonly string[]): Language {
  return tags.map(toLanguage).find((language) => language !== null) ?? DEFAULT_LANGUAGE;
}

/** The reader's language: the path's, else the first of ours in query string, cookie, local storage and browser. */
export function detectLanguage(pathname: string): Language {
  const detected = detector.detect() ?? [];
  return languageOfPath(pathname) ?? preferredLanguage(Array.isArray(detected) ? detected : [detected]);
}

/** Keeps the language in local storage and in the `lang` cookie, where the server reads it too. */
export function rememberLanguage(language: Language): void {
  detector.cacheUserLanguage(language);
}
