import type { CatalogueModel } from '#contract/catalogue.ts';
import type { TextKey } from '#web/lib/translate.ts';

/** 128K in both languages, as model lists write it. */
const SIZE = new Intl.NumberFormat('en', { notation: 'compact' });

/** Tokens of context in short: `128K`. */
export function contextSize(tokens: number | null): string {
  return SIZE.format(tokens ?? 0);
}

/** Whether a model sees pictures, in words; the text of documents is given to every model. */
export function sightKey({ readsImages }: Pick<CatalogueModel, 'readsImages'>): TextKey {
  return readsImages ? 'models.sees' : 'models.blind';
}
