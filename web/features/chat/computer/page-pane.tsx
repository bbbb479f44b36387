import { type CSSProperties, type RefObject, useCallback, useState } from 'react';
import type { Message } from '#contract/chat.ts';
import type { ComputerInput } from '#contract/message/computer.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { DrivenPicture } from './driven-picture.tsx';
import { KeepButton } from './keep-button.tsx';
import { OfferedFiles } from './offered-files.tsx';
import type { BrowserRun } from './read-run.ts';
import { RunFoot, RunNotice } from './run-foot.tsx';
import { AddressLine, addressOf, pictured, RunPicture, ShowLarger } from './run-picture.tsx';
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

/** The page, now or after a step: what it waits for, its address, its picture, what can be kept of it, and what can be done beneath it. */
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
  const [pressed, setPressed] = useState(0);
  const { input } = computer;
  const drive = useCallback(
    (what: ComputerInput) => {
      if (what.kind === 'click') setPressed(what.y / 1000);
      input(what);
    },
    [input],
  );
  const isDriven = isRunning && screen.state?.state === 'taken_over';
  const style = { '--pressed': pressed } as CSSProperties;
  return (
    <>
      {isRunning ? <RunNotice run={run} state={screen.state} computer={computer} box={box} /> : null}
      <div className="computer-page min-w-0">
        <AddressLine url={addressOf(run, shown, screen)}>
          {isDriven ? <ShowLarger run={run} shown={shown} screen={screen} isDriven /> : null}
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
        <div className="computer-stage">
          <div className="computer-screen relative bg-sunken" style={style}>
            <RunPicture run={run} shown={shown} screen={screen} isDriven={isDriven} />
            {isDriven ? (
              <DrivenPicture
                onInput={drive}
                onLeave={() => box.current?.focus({ preventScroll: true })}
                isTyping={isTyping}
              />
            ) : null}
          </div>
        </div>
        <OfferedFiles run={run} kept={kept} />
        <RunFoot run={run} shown={shown} isRunning={isRunning} onShow={onShow} />
      </div>
    </>
  );
}
