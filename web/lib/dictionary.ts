import type { Language } from '#contract/choices.ts';
import enUrl from '#i18n/en/common.json?url';
import zhUrl from '#i18n/zh/common.json?url';
import type { Dictionary } from './translate.ts';

const RETRY_DELAYS_MS = [500, 2000, 5000];

/** Where the texts of a language are served. */
export function dictionaryUrl(language: Language): string {
  return language === 'zh' ? zhUrl : enUrl;
}

/** Fetches the texts of one language; tries again a few times on a bad line, then throws. */
export async function loadDictionary(language: Language): Promise<Dictionary> {
  for (const delay of RETRY_DELAYS_MS) {
    try {
      return await fetchDictionary(language);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return await fetchDictionary(language);
}

async function fetchDictionary(language: Language): Promise<Dictionary> {
  const response = await fetch(dictionaryUrl(language));
  if (!response.ok) throw new Error(`dictionary ${language}: ${response.status}`);
  return (await response.json()) as Dictionary;
}
