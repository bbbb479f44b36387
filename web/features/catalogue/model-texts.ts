import type { Language } from '#contract/choices.ts';
import { languageTag } from '#web/lib/language.ts';

/** 128K in both languages, as model lists write it. */
const SIZE = new Intl.NumberFormat('en', { notation: 'compact' });

/** Tokens of context in short: `128K`. */
export function contextSize(tokens: number | null): string {
  return SIZE.format(tokens ?? 0);
}

/** Of each language its own unit of text: Chinese characters, English words. */
const UNITS_PER_TOKEN = { zh: 1, en: 0.75 };

/**
 * How much text some tokens hold, to two digits: `13 万` Chinese characters, `96,000` English words. 1 token ≈ ¾ words (OpenAI Help Center,
 * “What are tokens and how to count them?”), and at least one Chinese character, as `estimateTokens` counts (DeepSeek’s documentation: 1.6).
 */
export function textSize(language: Language, tokens: number): string {
  const format = new Intl.NumberFormat(languageTag(language), {
    notation: language === 'zh' ? 'compact' : 'standard',
    maximumSignificantDigits: 2,
  });
  const parts = format.formatToParts(tokens * UNITS_PER_TOKEN[language]);
  return parts.map(({ type, value }) => (type === 'compact' ? ` ${value}` : value)).join('');
}
