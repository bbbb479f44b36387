import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Language } from '#contract/choices.ts';
import { createTranslate, type Dictionary, type Translate } from './translate.ts';

export interface Translation {
  /** The text of a key, with its parameters filled in. */
  t: Translate;
  i18n: { language: Language };
}

const TranslationContext = createContext<Translation | null>(null);

interface TranslationProviderProps {
  language: Language;
  dictionary: Dictionary;
  children: ReactNode;
}

/** Gives everything below the texts of one language. */
export function TranslationProvider({ language, dictionary, children }: TranslationProviderProps) {
  const translation = useMemo(
    () => ({ t: createTranslate(language, dictionary), i18n: { language } }),
    [language, dictionary],
  );
  return <TranslationContext value={translation}>{children}</TranslationContext>;
}

/** The texts of the document's language, with the call shape of react-i18next; there is one namespace, `common`. */
export function useTranslation(_namespace: 'common'): Translation {
  const translation = useContext(TranslationContext);
  if (!translation) throw new Error('useTranslation needs a TranslationProvider above it');
  return translation;
}
