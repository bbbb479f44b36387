import type { ModelChange, ModelLine } from '#contract/admin/models.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Address } from '../show/address.tsx';
import { Records } from '../show/records.tsx';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';

interface ModelHistoryProps {
  changes: readonly ModelChange[];
  models: readonly ModelLine[];
}

/** Who changed the price of which model, paused and resumed it, when and why. */
export function ModelHistory({ changes, models }: ModelHistoryProps) {
  const { t, i18n } = useTranslation('admin');
  const word = useWords();
  return (
    <Records
      label={t('admin.models.history')}
      rows={changes}
      keyOf={({ id }) => id}
      empty={t('admin.models.noHistory')}
      columns={[
        { name: t('admin.column.time'), kind: 'short', cell: ({ at }) => <When at={at} /> },
        { name: t('admin.column.actor'), cell: ({ actor }) => <Address address={actor} /> },
        {
          name: t('admin.column.act'),
          kind: 'short',
          cell: ({ act, price }) => (
            <div>
              {word('act', act)}
              {price ? <span className="block text-soft">{t('admin.models.changed', price)}</span> : null}
            </div>
          ),
        },
        {
          name: t('admin.models.model'),
          cell: ({ model }) => models.find(({ id }) => id === model)?.title[i18n.language] ?? model,
        },
        { name: t('admin.column.reason'), cell: ({ reason }) => reason },
      ]}
    />
  );
}
