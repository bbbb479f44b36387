import { useId } from 'react';
import type { EntryKind } from '#contract/credits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';

const KINDS: readonly EntryKind[] = ['grant', 'charge', 'release', 'expire', 'revoke', 'adjust'];

interface KindFilterProps {
  kind: EntryKind | null;
  onChange: (kind: EntryKind | null) => void;
}

/** Which lines of the statement are shown. */
export function KindFilter({ kind, onChange }: KindFilterProps) {
  const { t } = useTranslation('common');
  const id = useId();
  return (
    <div className="flex items-center gap-2 text-sm">
      <label htmlFor={id} className="text-soft">
        {t('statement.filter')}
      </label>
      <select
        id={id}
        value={kind ?? ''}
        onChange={({ target }) => onChange(KINDS.find((one) => one === target.value) ?? null)}
        className="min-h-9 rounded-control border border-edge bg-raised hover:border-ink"
      >
        <option value="">{t('statement.all')}</option>
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`ledger.kind.${one}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
