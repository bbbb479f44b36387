import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Spending } from '#contract/credits.ts';
import { formatDate, formatDay } from '#i18n/formats.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { DayChart } from '#web/ui/chart/day-chart.tsx';
import { CHART_DAYS, groupSpending } from './group-spending.ts';

const spendingQuery = queryOptions({
  queryKey: ['credits', 'spending'],
  queryFn: ({ signal }) => callApi<Spending>('/api/credits/spending', { signal }),
});

/**
 * What messages took on each of the last days, drawn and as a list for those who do not see it; in words where that was on one day,
 * nothing where they took nothing.
 */
export function SpendingChart() {
  const { t, i18n } = useTranslation('common');
  const { data } = useQuery(spendingQuery);
  if (!data) return null;
  const days = groupSpending(data, Date.now());
  const total = days.reduce((sum, { credits }) => sum + credits, 0);
  const [first] = days;
  const most = days.reduce((one, other) => (other.credits > one.credits ? other : one));
  if (!first || total === 0) return null;
  const { language } = i18n;
  const short = (time: number) => formatDate(language, time, { month: 'short', day: 'numeric' });
  const bars = days.map(({ start, credits }) => ({
    day: String(start),
    value: credits,
    title: t('statement.chartDay', { day: short(start), credits }),
  }));
  const said = { days: CHART_DAYS, total };
  const highest = { day: formatDay(language, most.start), most: most.credits };
  if (total === most.credits)
    return <p className="mb-6">{t('statement.chartOnly', { ...said, ...highest })}</p>;
  return (
    <>
      <DayChart
        days={bars}
        head={t('statement.chartHead')}
        highest={t('statement.chartMost', { most: most.credits })}
        label={t('statement.chart', { ...said, ...highest })}
      >
        <span>{short(first.start)}</span>
        <span>{t('statement.chartTotal', said)}</span>
        <span>{t('statement.chartToday')}</span>
      </DayChart>
      <ul className="sr-only">
        {bars
          .filter(({ value }) => value > 0)
          .map(({ day, title }) => (
            <li key={day}>{title}</li>
          ))}
      </ul>
    </>
  );
}
