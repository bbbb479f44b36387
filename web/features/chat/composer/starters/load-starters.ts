import type { Language } from '#contract/choices.ts';
import { languageOfPath } from '#web/lib/language.ts';
import { preloadModule } from '#web/lib/use-module.ts';

type Sets = readonly string[][];

/** What fetches the questions to begin with of one language: a set for each day, by turns. */
export const LOAD_STARTERS: Record<Language, () => Promise<{ default: Sets }>> = {
  zh: () => import('./zh.json'),
  en: () => import('./en.json'),
};

/** Fetches those of this document's language ahead. */
export async function preloadStarters(): Promise<void> {
  const language = languageOfPath(location.pathname);
  if (language) await preloadModule(LOAD_STARTERS[language]);
}
