import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showNotice } from '#web/ui/toast-store.ts';

const KEY = 'chat.model';

export interface ModelChoice {
  /** The model the next message goes to; undefined while the catalogue is not known. */
  model: CatalogueModel | undefined;
  models: readonly CatalogueModel[];
  choose(id: string): void;
}

/**
 * The model in use: the one chosen on this device, the catalogue's default without a choice, the first allowed one where that is
 * not allowed. A choice that is no longer allowed is replaced with a notice.
 */
export function useModels(): ModelChoice {
  const { t, i18n } = useTranslation('common');
  const { data: catalogue } = useQuery(catalogueQuery);
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
    const { language } = i18n;
    if (wanted) showNotice(t('chat.modelReset', { from: wanted.title[language], to: model.title[language] }));
  }, [chosen, model, wanted, choose, t, i18n]);
  return { model, models, choose };
}

const NONE: readonly CatalogueModel[] = [];

/** `wanted` when it may be used, also where it is paused: who asks it chooses another one themselves. Else the first that may. */
function usableModel(
  models: readonly CatalogueModel[],
  wanted: CatalogueModel | undefined,
): CatalogueModel | undefined {
  return wanted?.allowed
    ? wanted
    : (models.find(({ allowed, paused }) => allowed && !paused) ?? models.find(({ allowed }) => allowed));
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
