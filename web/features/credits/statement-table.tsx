import type { LedgerEntry } from '#contract/credits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { CELL, NUMBER, StatementRow } from './statement-row.tsx';

/** The lines of a statement: time, what and why, amount, balance after it. On a phone the balance stands beneath the amount. */
export function StatementTable({ entries }: { entries: readonly LedgerEntry[] }) {
  const { t } = useTranslation('common');
  return (
    <table className="w-full text-left text-sm">
      <thead className="border-line border-b text-soft">
        <tr>
          <th className={`${CELL} pr-6 font-normal max-sm:hidden`}>{t('statement.time')}</th>
          <th className={`${CELL} font-normal`}>{t('statement.reason')}</th>
          <th className={`${NUMBER} font-normal`}>
            {t('statement.amount')}
            <span className="block sm:hidden">{t('statement.balance')}</span>
          </th>
          <th className={`${NUMBER} pl-6 font-normal max-sm:hidden`}>{t('statement.balance')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <StatementRow key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}
