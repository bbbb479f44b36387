import { useQuery } from '@tanstack/react-query';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';
import { inMenuOrder } from '#web/features/catalogue/use-offered-models.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';

interface KeyModelsProps {
  /** Null: every model of the plan. */
  models: string[] | null;
  onChange: (models: string[] | null) => void;
}

/** The models that a key may ask: all, or some. */
export function KeyModels({ models, onChange }: KeyModelsProps) {
  const { t, i18n } = useTranslation('common');
  const { data } = useQuery(catalogueQuery);
  const offered = (data?.models ?? []).filter(({ cost }) => cost !== null);
  const toggle = (id: string, chosen: boolean) =>
    onChange(inMenuOrder([...(models ?? []).filter((one) => one !== id), ...(chosen ? [id] : [])]));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">{t('keys.models')}</legend>
      <Checkbox
        label={t('keys.everyModel')}
        checked={models === null}
        onChange={(event) => onChange(event.target.checked ? null : [])}
      />
      {models !== null
        ? offered.map((model) => (
            <div key={model.id} className="ml-7">
              <Checkbox
                label={model.title[i18n.language]}
                checked={models.includes(model.id)}
                onChange={(event) => toggle(model.id, event.target.checked)}
              />
            </div>
          ))
        : null}
    </fieldset>
  );
}
