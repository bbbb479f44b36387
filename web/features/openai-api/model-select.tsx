import { useId } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';

interface ModelSelectProps {
  models: readonly CatalogueModel[];
  value: string;
  onChange: (model: string) => void;
}

/** Chooses one of the models that can be asked for a text; those beyond the reader's plan, and those that are paused, are shown, disabled. */
export function ModelSelect({ models, value, onChange }: ModelSelectProps) {
  const { t } = useTranslation('common');
  const id = useId();
  const offered = models.flatMap(({ cost, ...model }) =>
    cost === null || model.pictures ? [] : [{ ...model, cost }],
  );
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {t('api.model')}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-11 w-full rounded-control border border-edge bg-raised text-ink hover:border-ink"
      >
        {offered.map((model) => (
          <option key={model.id} value={model.id} disabled={!model.allowed || model.paused}>
            {t(optionKey(model), { id: model.id, cost: model.cost })}
          </option>
        ))}
      </select>
    </div>
  );
}

function optionKey({ allowed, paused }: Pick<CatalogueModel, 'allowed' | 'paused'>) {
  if (!allowed) return 'api.modelBeyondPlan';
  return paused ? 'api.modelPaused' : 'api.modelOption';
}
