import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Catalogue, CatalogueModel } from '#contract/catalogue.ts';

const KEY = 'chat.model';

export interface ModelChoice {
  /** The model the next message goes to; undefined while the catalogue is not known. */
  model: CatalogueModel | undefined;
  models: readonly CatalogueModel[];
  choose(id: string): void;
}

/** The model in use: the one chosen on this device, the catalogue's default without a choice, the first allowed one when that is not allowed. */
export function useModels(
  catalogue: Catalogue | undefined,
  onReset: (from: CatalogueModel, to: CatalogueModel) => void,
): ModelChoice {
  const [chosen, setChosen] = useState<string | null>(readChoice);
  const models = catalogue?.models ?? NONE;
  const wanted = models.find(({ id }) => id === (chosen ?? catalogue?.defaultModel));
  const model = useMemo(() => usableModel(models, wanted), [models, wanted]);
  const choose = useCallback((id: string) => {
    setChosen(id);
    keepChoice(id);
  }, []);
  useEffect(() => {
    if (chosen === null || !model || model.id === chosen) return;
    choose(model.id);
    if (wanted) onReset(wanted, model);
  }, [chosen, model, wanted, choose, onReset]);
  return { model, models, choose };
}

const NONE: readonly CatalogueModel[] = [];

/** `wanted` when it may be used, else the first that may. */
export function usableModel(
  models: readonly CatalogueModel[],
  wanted: CatalogueModel | undefined,
): CatalogueModel | undefined {
  return wanted?.allowed ? wanted : models.find(({ allowed }) => allowed);
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keepChoice(id: string): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Storage is forbidden: the choice lives as long as the page.
  }
}
