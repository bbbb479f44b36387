import type { CatalogueModel } from '#contract/catalogue.ts';
import type { TextKey } from '#web/lib/translate.ts';

/** Whether a model sees pictures, in words; the text of documents is given to every model. */
export function sightKey({ readsImages }: Pick<CatalogueModel, 'readsImages'>): TextKey {
  return readsImages ? 'models.sees' : 'models.blind';
}
