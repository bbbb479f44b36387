import type { RefObject } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { DrivenPicture } from './driven-picture.tsx';
import { KeepButton } from './keep-button.tsx';
import { OfferedFiles } from './offered-files.tsx';
import type { BrowserRun } from './read-run.ts';
import { RunFoot } from './run-foot.tsx';
import { AddressLine, addressOf, pictured, RunPicture } from './run-picture.tsx';
import type { Computer } from './use-computer.ts';
import { useKept } from './use-kept.ts';
import type { LiveScreen } from './use-live-screen.ts';

interface PagePaneProps {
  message: Message;
  run: BrowserRun;
  /** The number of the step that is shown; null: the page as it is now. */
  shown: number | null;
  onShow: (n: number | null) => void;
  isRunning: boolean;
  screen: LiveScreen;
  computer: Computer;
  isTyping: boolean;
  box: RefObject<HTMLElement | null>;
}

/** The page, now or after a step: its address, its picture, what can be kept of it, and what can be done beneath it. */
export function PagePane({
  message,
  run,
  shown,
  onShow,
  isRunning,
  screen,
  computer,
  isTyping,
  box,
}: PagePaneProps) {
  const { t } = useTranslation('common');
  const kept = useKept(message);
  const step = pictured(run, shown);
  const isDriven = isRunning && screen.state?.state === 'taken_over';
  return (
    <div className="min-w-0">
      <AddressLine url={addressOf(run, shown, screen)}>
        {step?.fileId ? (
          <KeepButton
            key={step.n}
            thing={{ step: step.n, what: 'picture' }}
            kept={kept}
            text={t('computer.keep.picture')}
            label={t('computer.keep.pictureOf', { n: step.n })}
          />
        ) : null}
      </AddressLine>
      <div className="computer-screen relative bg-sunken">
        <RunPicture run={run} shown={shown} screen={screen} isDriven={isDriven} />
        {isDriven ? (
          <DrivenPicture
            onInput={computer.input}
            onLeave={() => box.current?.focus({ preventScroll: true })}
            isTyping={isTyping}
          />
        ) : null}
      </div>
      <OfferedFiles run={run} kept={kept} />
      <RunFoot
        run={run}
        shown={shown}
        isRunning={isRunning}
        state={isRunning ? screen.state : null}
        computer={computer}
        onShow={onShow}
        box={box}
      />
    </div>
  );
}
