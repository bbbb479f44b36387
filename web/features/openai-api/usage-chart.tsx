import { useTranslation } from '#web/lib/i18n.tsx';
import { DayChart } from '#web/ui/chart/day-chart.tsx';
import type { UsageDay } from './group-usage.ts';

/** Credits a day as bars, or in words where all of them were spent on one day. The table beneath says the same in numbers. */
export function UsageChart({ days }: { days: readonly UsageDay[] }) {
  const { t } = useTranslation('common');
  const most = Math.max(...days.map(({ credits }) => credits));
  const total = days.reduce((sum, { credits }) => sum + credits, 0);
  if (total === 0) return null;
  if (total === most) {
    const day = days.find(({ credits }) => credits > 0)?.day ?? '';
    return <p className="mb-6">{t('statement.chartOnly', { days: days.length, total, day })}</p>;
  }
  const bars = days.map(({ day, credits, requests }) => ({
    day,
    value: credits,
    title: t('keys.usage.bar', { day, credits, requests }),
  }));
  return (
    <DayChart
      days={bars}
      head={t('statement.chartHead')}
      highest={t('statement.chartMost', { most })}
      label={t('keys.usage.chart', { total, days: days.length, most })}
    >
      <span>{days[0]?.day}</span>
      <span>{t('keys.usage.total', { total })}</span>
      <span>{days.at(-1)?.day}</span>
    </DayChart>
  );
}
