import type { Language } from '#contract/choices.ts';
import { DEFAULT_LANGUAGE, languageOfPath, toLanguage } from './language.ts';
import { isPlainPage } from './pages.ts';

const KEY = 'lang';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** What a browser knows of its reader's language. */
export interface LanguageTraces {
  pathname: string;
  search: string;
  cookie: string;
  stored: string | null;
  navigator: readonly string[];
}

/**
 * The language of a document: the path's; on a plain page the first of ours in query string, cookie, local storage and
 * browser; else zh, where every other path leads.
 */
export function chooseLanguage(traces: LanguageTraces): Language {
  if (!isPlainPage(traces.pathname)) return languageOfPath(traces.pathname) ?? DEFAULT_LANGUAGE;
  const cookie = traces.cookie.split('; ').find((pair) => pair.startsWith(`${KEY}=`));
  const tags = [
    new URLSearchParams(traces.search).get(KEY),
    cookie?.slice(KEY.length + 1),
    traces.stored,
    ...traces.navigator,
  ];
  const ours = tags.map((tag) => (tag ? toLanguage(tag) : null));
  return ours.find((language) => language !== null) ?? DEFAULT_LANGUAGE;
}

/** The language this document is to speak. */
export function detectLanguage(): Language {
  return chooseLanguage({
    pathname: window.location.pathname,
    search: window.location.search,
    cookie: document.cookie,
    stored: readStored(),
    navigator: navigator.languages,
  });
}

/** Keeps the language in local storage and in the `lang` cookie, where the server reads it too. */
export function rememberLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet.
  document.cookie = `${KEY}=${language}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage may be forbidden; the cookie is enough.
  }
}

function readStored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
