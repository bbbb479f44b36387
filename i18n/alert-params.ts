import type { Language } from '#contract/choices.ts';
import type { TextParams } from './text-of.ts';

/**
 * What the texts of an alert name, in the reader's language: what answers used together is listed in the words that `wordOf` gives for
 * each feature, anything else is named as it is.
 */
export function alertParams(
  subject: string,
  details: TextParams,
  language: Language,
  wordOf: (feature: string) => string,
): TextParams {
  if (details.of !== 'feature') return { ...details, subject };
  const names = new Intl.ListFormat(language, { style: 'narrow' }).format(subject.split('+').map(wordOf));
  return { ...details, subject: names };
}
