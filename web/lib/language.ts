import { LANGUAGE_TAG, LANGUAGES, type Language } from '#contract/choices.ts';

export const DEFAULT_LANGUAGE: Language = 'zh';

/** The BCP 47 tag of a language, for the document and for `Intl`. */
export function languageTag(language: Language): string {
  return LANGUAGE_TAG[language];
}

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** The product's language for a browser's or a stored tag (`zh-Hans-CN`, `en_GB`), or null for any other. */
export function toLanguage(tag: string): Language | null {
  const primary = tag.toLowerCase().split(/[-_]/)[0];
  return isLanguage(primary) ? primary : null;
}

/** The language a path names by its first segment, or null: `/en/chat` is English, `/privacy` names none. */
export function languageOfPath(pathname: string): Language | null {
  const first = pathname.split('/')[1];
  return isLanguage(first) ? first : null;
}

interface Place {
  pathname: string;
  search: string;
  hash: string;
}

/** The same place in a language: its prefix is changed, or the query says it where the path names none. */
export function pathInLanguage({ pathname, search, hash }: Place, language: Language): string {
  const path = pathname.replace(/\/+$/, '');
  const query = new URLSearchParams(search);
  const isPrefixed = languageOfPath(path) !== null;
  if (isPrefixed) query.delete('lang');
  else query.set('lang', language);
  const target = isPrefixed ? path.replace(/^\/[^/]+/, `/${language}`) : path;
  return target + (query.size > 0 ? `?${query}` : '') + hash;
}
