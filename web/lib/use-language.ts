import type { Language } from '#contract/choices.ts';
import { useTranslation } from './i18n.tsx';
import type { LanguagePage } from './pages.ts';

/** The language of this document; it changes only with the document. */
export function useLanguage(): Language {
  return useTranslation('common').i18n.language;
}

/** The path of a page in a language: `/zh/pricing`; home is `/zh`. */
export function localPath(language: Language, page: LanguagePage): string {
  return page === '' ? `/${language}` : `/${language}/${page}`;
}

/** Gives the path of a page in this document's language. */
export function useLocalPath(): (page: LanguagePage) => string {
  const language = useLanguage();
  return (page) => localPath(language, page);
}
