import type { ReactNode, RefObject } from 'react';
import type { ComputerState } from '#contract/message/computer.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ConfirmationCard, TimeLeft } from './confirmation-card.tsx';
import type { BrowserRun } from './read-run.ts';
import { ReplayBar } from './replay-bar.tsx';
import type { Computer } from './use-computer.ts';

interface RunFootProps {
  run: BrowserRun;
  shown: number | null;
  isRunning: boolean;
  onShow: (n: number | null) => void;
}

/** Beneath the picture: the way back to what goes on, or the replay. */
export function RunFoot({ run, shown, isRunning, onShow }: RunFootProps) {
  const { t } = useTranslation('common');
  if (isRunning && shown !== null) {
    return (
      <div className="border-line border-t px-3 py-1.5">
        <button
          type="button"
          onClick={() => onShow(null)}
          className="min-h-9 rounded-control px-2 text-sm underline decoration-edge underline-offset-4 hover:decoration-current"
        >
          {t('computer.toLive')}
        </button>
      </div>
    );
  }
  if (isRunning || shown === null || run.steps.length < 2) return null;
  return (
    <div className="border-line border-t px-1 py-0.5">
      <ReplayBar steps={run.steps} shown={shown} onShow={onShow} />
    </div>
  );
}

interface RunNoticeProps {
  run: BrowserRun;
  /** How it is now; null while not known, or over. */
  state: ComputerState | null;
  computer: Computer;
  box: RefObject<HTMLElement | null>;
}

/** Beside the picture, or above it: what the model waits for, a question to the reader or the reader who drives or paused it. */
export function RunNotice({ run, state, computer, box }: RunNoticeProps) {
  const { t } = useTranslation('common');
  const until = state?.until ?? null;
  if (run.asked) {
    return (
      <div className="computer-notice computer-question border-line border-b p-2">
        <ConfirmationCard asked={run.asked} url={state?.url ?? ''} computer={computer} after={box} />
      </div>
    );
  }
  if (state?.state === 'paused') return <StateNote until={until}>{t('computer.pausedNote')}</StateNote>;
  if (state?.state !== 'taken_over') return null;
  return (
    <StateNote until={until}>
      {t('computer.driving')}
      <span className="block text-soft pointer-coarse:hidden">{t('computer.leaveKeys')}</span>
    </StateNote>
  );
}

/** What holds while the model waits, and until when it does. */
function StateNote({ until, children }: { until: number | null; children: ReactNode }) {
  return (
    <div className="computer-notice flex flex-wrap items-baseline justify-between gap-x-4 border-line border-b px-3 py-2 text-sm">
      <p>{children}</p>
      {until === null ? null : (
        <span className="text-soft tabular-nums">
          <TimeLeft until={until} />
        </span>
      )}
    </div>
  );
}
