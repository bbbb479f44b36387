import { Hand, Keyboard, Pause, Play, Square, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ComputerState } from '#contract/message/computer.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import type { Computer } from './use-computer.ts';

const ICON = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const;

interface RunControlsProps {
  state: ComputerState['state'] | undefined;
  computer: Computer;
  isTyping: boolean;
  onType: () => void;
}

/** Pause, take over, stop; while the reader drives, hand back. Their places do not change. */
export function RunControls({ state, computer, isTyping, onType }: RunControlsProps) {
  const { t } = useTranslation('common');
  const { isBusy, act, stop } = computer;
  const canPause = state === 'running' || state === 'paused';
  const isPaused = state === 'paused';
  const isTaken = state === 'taken_over';
  return (
    <div className="computer-controls flex flex-wrap gap-1.5">
      {isTaken ? (
        <>
          <Control onClick={() => void act({ act: 'handback' })} disabled={isBusy} icon={<Undo2 {...ICON} />}>
            {t('computer.handBack')}
          </Control>
          <span className="pointer-fine:hidden">
            <Control onClick={onType} pressed={isTyping} icon={<Keyboard {...ICON} />}>
              {t('computer.keyboard')}
            </Control>
          </span>
        </>
      ) : (
        <>
          <Control
            onClick={() => void act({ act: isPaused ? 'resume' : 'pause' })}
            disabled={isBusy || !canPause}
            icon={isPaused ? <Play {...ICON} /> : <Pause {...ICON} />}
          >
            {t(isPaused ? 'computer.resume' : 'computer.pause')}
          </Control>
          <Control
            onClick={() => void act({ act: 'takeover' })}
            disabled={isBusy || !canPause}
            icon={<Hand {...ICON} />}
          >
            {t('computer.takeOver')}
          </Control>
        </>
      )}
      <Control onClick={stop} disabled={state === 'ended'} icon={<Square {...ICON} fill="currentColor" />}>
        {t('computer.stop')}
      </Control>
    </div>
  );
}

interface ControlProps {
  onClick: () => void;
  disabled?: boolean;
  pressed?: boolean;
  icon: ReactNode;
  children: ReactNode;
}

function Control({ icon, children, pressed, ...rest }: ControlProps) {
  return (
    <Button
      variant="secondary"
      size="small"
      {...rest}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      className="pointer-coarse:min-h-11 max-[24rem]:px-2"
    >
      {icon}
      {children}
    </Button>
  );
}
