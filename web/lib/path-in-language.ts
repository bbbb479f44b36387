import { type Language, languageOfPath } from './language.ts';

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
