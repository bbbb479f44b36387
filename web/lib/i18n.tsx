import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Language } from '#contract/choices.ts';
import type { TextParams } from '#i18n/text-of.ts';
import { type AdminTextKey, createTranslate, type Dictionary, type Translate } from './translate.ts';

export interface Translation {
  /** The text of a key, with its parameters filled in. */
  t: Translate;
  i18n: { language: Language };
}

/** The same in the operator's console, whose dictionary has its own texts too. */
export interface AdminTranslation extends Translation {
  t: (key: AdminTextKey, params?: TextParams) => string;
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

/** The texts of the document's language, with the call shape of react-i18next; `admin` are those of the operator's console and all others. */
export function useTranslation(namespace: 'common'): Translation;
export function useTranslation(namespace: 'admin'): AdminTranslation;
export function useTranslation(_namespace: 'common' | 'admin'): Translation {
  const translation = useContext(TranslationContext);
  if (!translation) throw new Error('useTranslation needs a TranslationProvider above it');
  return translation;
}
