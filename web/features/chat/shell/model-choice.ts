import type { Catalogue, CatalogueModel } from '#contract/catalogue.ts';

const KEY = 'chat.model';

interface FoundModels {
  /** The model that was chosen, or the default; undefined where the catalogue has none of that id. */
  wanted: CatalogueModel | undefined;
  /** The model that a message goes to. */
  model: CatalogueModel | undefined;
}

/** Finds the model in use: the `chosen` one, the catalogue's default without a choice, the first allowed one where that is not allowed. */
export function findModel(catalogue: Catalogue | undefined, chosen: string | null): FoundModels {
  const models = catalogue?.models ?? [];
  const wanted = models.find(({ id }) => id === (chosen ?? catalogue?.defaultModel));
  return { wanted, model: usableModel(models, wanted) };
}

/** `wanted` when it may be used, also where it is paused: who asks it chooses another one themselves. Else the first that may. */
function usableModel(
  models: readonly CatalogueModel[],
  wanted: CatalogueModel | undefined,
): CatalogueModel | undefined {
  return wanted?.allowed
    ? wanted
    : (models.find(({ allowed, paused }) => allowed && !paused) ?? models.find(({ allowed }) => allowed));
}

/** Reads which model was chosen on this device; null without a choice. */
export function readModelChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Keeps which model was chosen on this device. */
export function keepModelChoice(id: string): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Storage is forbidden: the choice lives as long as the page.
  }
}
