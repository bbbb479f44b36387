import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { StepPart } from '#contract/message/parts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

const ICON = { 'aria-hidden': true, size: 18, strokeWidth: 1.5 } as const;

interface ReplayBarProps {
  steps: readonly StepPart[];
  shown: number;
  onShow: (n: number) => void;
}

/** Goes through a run step by step: a slider, and a button each way. */
export function ReplayBar({ steps, shown, onShow }: ReplayBarProps) {
  const { t } = useTranslation('common');
  const id = useId();
  const place = Math.max(
    0,
    steps.findIndex(({ n }) => n === shown),
  );
  const show = (next: number) => {
    const step = steps[next];
    if (step) onShow(step.n);
  };
  const label = t('computer.place', { n: place + 1, count: steps.length });
  return (
    <div className="flex items-center gap-1">
      <IconButton label={t('computer.previous')} disabled={place === 0} onClick={() => show(place - 1)}>
        <ChevronLeft {...ICON} />
      </IconButton>
      <input
        type="range"
        min={0}
        max={steps.length - 1}
        value={place}
        aria-label={t('computer.replay')}
        aria-valuetext={label}
        aria-describedby={id}
        onChange={(event) => show(Number(event.target.value))}
        className="min-w-0 grow rounded-sm accent-ink outline-offset-4"
      />
      <IconButton
        label={t('computer.next')}
        disabled={place === steps.length - 1}
        onClick={() => show(place + 1)}
      >
        <ChevronRight {...ICON} />
      </IconButton>
      <span id={id} className="pr-2 text-soft text-sm tabular-nums">
        {place + 1}/{steps.length}
      </span>
    </div>
  );
}
