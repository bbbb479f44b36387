import { useTranslation } from '#web/lib/i18n.tsx';
import type { UsageDay } from './group-usage.ts';

const WIDTH = 720;
const HEIGHT = 120;
const GAP = 4;

/** Credits a day as bars. The table beneath says the same in numbers, so the picture is one image to a screen reader. */
export function UsageChart({ days }: { days: readonly UsageDay[] }) {
  const { t } = useTranslation('common');
  const most = Math.max(...days.map(({ credits }) => credits), 1);
  const total = days.reduce((sum, { credits }) => sum + credits, 0);
  const step = WIDTH / days.length;
  return (
    <figure className="mb-6">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('keys.usage.chart', { total, days: days.length, most })}
        className="h-32 w-full border-edge border-b"
      >
        {days.map(({ day, credits, requests }, index) => {
          const height = (credits / most) * HEIGHT;
          return (
            <rect
              key={day}
              x={index * step + GAP / 2}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              className="fill-ink"
            >
              <title>{t('keys.usage.bar', { day, credits, requests })}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="mt-1 flex justify-between text-soft text-sm tabular-nums">
        <span>{days[0]?.day}</span>
        <span>{t('keys.usage.total', { total })}</span>
        <span>{days.at(-1)?.day}</span>
      </figcaption>
    </figure>
  );
}
