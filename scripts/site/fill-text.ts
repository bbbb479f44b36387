import { brandName } from '#contract/brand.ts';
import type { Language } from '#contract/choices.ts';
import { fillText as fillParameters } from '#i18n/text-of.ts';
import type { Site } from './site.ts';

/** A text of one language with `{{brand}}`, `{{email}}` and the catalogue's facts filled in, and the word that goes with a number. Throws on any other name. */
export function fillText(text: string, language: Language, { brand, facts }: Site): string {
  const values: Record<string, string | number> = {
    ...facts,
    brand: brandName(brand, language),
    email: brand.supportEmail,
  };
  return fillParameters(text, (name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`{{${name}}} in “${text.slice(0, 60)}…” has no value`);
    return value.toLocaleString(language);
  });
}

/** A text in which no number is parted from its unit at the end of a line. */
export function keepUnits(text: string): string {
  return text.replace(/(\d) (?=(?:Credits?|tokens?|[KMG]i?B)\b)/g, '$1\u00a0');
}
