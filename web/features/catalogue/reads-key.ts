import type { CatalogueModel } from '#contract/catalogue.ts';
import type { TextKey } from '#web/lib/translate.ts';

/** What a model reads, in words: every model is given the text of documents, and pictures only where it sees them. */
export function readsKey({ readsImages }: Pick<CatalogueModel, 'readsImages'>): TextKey {
  return readsImages ? 'models.reads' : 'models.readsNoPictures';
}
