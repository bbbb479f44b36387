import { useQuery } from '@tanstack/react-query';
import type { UsageRow } from '#contract/keys.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import { Spinner } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { FieldError } from '#web/ui/field-error.tsx';
import { faultText } from './fault-text.ts';
import { usageDays } from './group-usage.ts';
import { usageQuery } from './keys-query.ts';
import { UsageChart } from './usage-chart.tsx';

/** What the reader's API requests of the last 30 days came to: a chart of the days, and a table of all of it. */
export function UsagePanel() {
  const { t } = useTranslation('common');
  const { data, error, isPending } = useQuery(usageQuery);
  return (
    <section aria-labelledby="usage" className="mb-16">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 id="usage" className="headline mb-2 text-3xl">
            {t('keys.usage.title')}
          </h2>
          <p className="max-w-prose text-soft">{t('keys.usage.lead')}</p>
        </div>
        <a href="/api/keys/usage.csv" download className={buttonStyle('secondary', 'small')}>
          {t('statement.csv')}
        </a>
      </div>
      {isPending ? <Spinner /> : null}
      {error ? <FieldError>{faultText(t, error)}</FieldError> : null}
      {data?.rows.length === 0 ? <p className="text-soft">{t('keys.usage.none')}</p> : null}
      {data && data.rows.length > 0 ? (
        <>
          <UsageChart days={usageDays(data.rows, data.from, data.to)} />
          <UsageTable rows={data.rows} />
        </>
      ) : null}
    </section>
  );
}

const CELL = 'py-2 pr-4 align-baseline';
const NUMBER = `${CELL} text-right tabular-nums`;

function UsageTable({ rows }: { rows: readonly UsageRow[] }) {
  const { t, i18n } = useTranslation('common');
  const tag = languageTag(i18n.language);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too.
    <section className="overflow-x-auto" tabIndex={0} aria-label={t('keys.usage.table')}>
      <table className="w-full text-left text-sm">
        <thead className="border-line border-b text-soft">
          <tr>
            <th className={`${CELL} font-normal`}>{t('keys.usage.column.day')}</th>
            <th className={`${CELL} font-normal`}>{t('keys.usage.column.model')}</th>
            <th className={`${CELL} font-normal`}>{t('keys.usage.column.key')}</th>
            <th className={`${NUMBER} font-normal`}>{t('keys.usage.column.requests')}</th>
            <th className={`${NUMBER} font-normal`}>{t('keys.usage.column.credits')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={`${row.day} ${row.model} ${row.keyId}`} className="border-line border-b">
              <td className={`${CELL} whitespace-nowrap tabular-nums`}>{row.day}</td>
              <td className={`${CELL} whitespace-nowrap`}>{row.model}</td>
              <td className={`${CELL} min-w-28`}>{row.keyName ?? t('keys.usage.ownPage')}</td>
              <td className={NUMBER}>{row.requests.toLocaleString(tag)}</td>
              <td className={NUMBER}>{row.credits.toLocaleString(tag)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
