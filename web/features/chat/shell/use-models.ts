import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showNotice } from '#web/ui/toast-store.ts';
import { findModel, keepModelChoice, readModelChoice } from './model-choice.ts';

export interface ModelChoice {
  /** The model the next message goes to; undefined while the catalogue is not known. */
  model: CatalogueModel | undefined;
  models: readonly CatalogueModel[];
  choose(id: string): void;
}

/** The model in use, as `findModel` finds it. A choice that is no longer allowed is replaced with a notice. */
export function useModels(): ModelChoice {
  const { t, i18n } = useTranslation('common');
  const { data: catalogue } = useQuery(catalogueQuery);
  const [chosen, setChosen] = useState<string | null>(readModelChoice);
  const models = catalogue?.models ?? NONE;
  const { wanted, model } = useMemo(() => findModel(catalogue, chosen), [catalogue, chosen]);
  const choose = useCallback((id: string) => {
    setChosen(id);
    keepModelChoice(id);
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
