import type { ReactNode } from 'react';

const WIDTH = 720;
const HEIGHT = 96;
const GAP = 4;

export interface ChartDay {
  /** What no other bar has. */
  day: string;
  value: number;
  /** Shown while the pointer rests on the bar. */
  title: string;
}

interface DayChartProps {
  days: readonly ChartDay[];
  /** What a bar counts. */
  head: string;
  /** How much the highest bar is. */
  highest: string;
  /** All that the bars say, in words: a screen reader meets one image. */
  label: string;
  /** Beneath it: the first day, what all come to, the last day. */
  children: ReactNode;
}

/** A bar for each day, as high as its part of the highest. */
export function DayChart({ days, head, highest, label, children }: DayChartProps) {
  const most = Math.max(...days.map(({ value }) => value), 1);
  const step = WIDTH / days.length;
  return (
    <figure className="mb-6">
      <div aria-hidden className="mb-2 flex justify-between gap-3 text-sm tabular-nums">
        <span className="font-medium">{head}</span>
        <span className="text-soft">{highest}</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className="h-24 w-full border-edge border-b"
      >
        {days.map(({ day, value, title }, index) => {
          const height = (value / most) * HEIGHT;
          return (
            <rect
              key={day}
              x={index * step + GAP / 2}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              className="fill-ink"
            >
              <title>{title}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="mt-1 flex justify-between gap-3 text-soft text-sm tabular-nums">
        {children}
      </figcaption>
    </figure>
  );
}
