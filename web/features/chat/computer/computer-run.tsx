import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Message } from '#contract/chat.ts';
import type { ComputerState } from '#contract/message/computer.ts';
import type { AnswerPart } from '#contract/message/parts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { Translate } from '#web/lib/translate.ts';
import { Fold } from '#web/ui/text/fold.tsx';
import { ToastRegion } from '#web/ui/toast-region.tsx';
import { PagePane } from './page-pane.tsx';
import { type BrowserRun, readRun } from './read-run.ts';
import { RunControls } from './run-controls.tsx';
import { StepList } from './step-list.tsx';
import { useComputer } from './use-computer.ts';
import { useFullWindow } from './use-full-window.ts';
import { useLiveScreen } from './use-live-screen.ts';

interface ComputerRunProps {
  message: Message;
  /** All parts of the answer that are known. */
  parts: readonly AnswerPart[];
  /** Is told how a run stands, in words; null once it has ended. */
  onState?: ((state: string | null) => void) | undefined;
}

/** What a model did in a browser: live while it goes on, to be replayed afterwards. One that had ended before is folded. */
export function ComputerRun({ message, parts, onState }: ComputerRunProps) {
  const { t } = useTranslation('common');
  const isRunning = message.status === 'running';
  const [wasRunning] = useState(isRunning);
  const box = useRef<HTMLDivElement>(null);
  const onGone = useFocusAtEnd(message, box);
  const run = readRun(parts);
  if (!isRunning && run.entries.length === 0) return null;
  if (isRunning)
    return <RunView message={message} run={run} isRunning box={box} onGone={onGone} onState={onState} />;
  return (
    <Fold label={t('computer.fold', { count: run.steps.length })} open={wasRunning} className="mb-3">
      <RunView message={message} run={run} isRunning={false} box={box} />
    </Fold>
  );
}

/**
 * Leads a focus that was in the box of a run that ends to what is said of a failure, else to the box that replays the run, or to the
 * composer: on the body the next letters would be keys of the chat. Returns what the box tells as it goes: whether it has the focus.
 */
function useFocusAtEnd({ id, status }: Message, box: RefObject<HTMLElement | null>) {
  const isLost = useRef(false);
  useLayoutEffect(() => {
    if (status === 'running' || !isLost.current) return;
    isLost.current = false;
    const failure = document.querySelector<HTMLElement>(`[data-failure="${CSS.escape(id)}"]`);
    (failure ?? box.current ?? document.querySelector<HTMLElement>('[data-composer]'))?.focus();
  }, [id, status, box]);
  return useCallback((hasFocus: boolean) => {
    isLost.current = hasFocus;
  }, []);
}

interface RunViewProps extends Pick<ComputerRunProps, 'message' | 'onState'> {
  run: BrowserRun;
  isRunning: boolean;
  box: RefObject<HTMLDivElement | null>;
  onGone?: (hasFocus: boolean) => void;
}

function RunView({ message, run, isRunning, box, onGone, onState }: RunViewProps) {
  const { t } = useTranslation('common');
  useLayoutEffect(() => {
    const element = box.current;
    return () => onGone?.(element?.contains(document.activeElement) ?? false);
  }, [box, onGone]);
  const screen = useLiveScreen(message.id, isRunning, box);
  const computer = useComputer(message.id, screen.beginAct);
  const [chosen, setChosen] = useState<number | null>(null);
  const [isTyping, setTyping] = useState(false);
  const last = run.steps.findLast(({ fileId }) => fileId !== null) ?? run.steps.at(-1);
  const shown = isRunning ? chosen : (chosen ?? last?.n ?? null);
  const state = isRunning ? screen.state?.state : 'ended';
  const isDriving = state === 'taken_over';
  const { isFull, attributes } = useFullWindow(box, isDriving);
  const said = isRunning ? sayState(t, screen.state, run) : sayLength(t, run);
  const told = isRunning && state !== 'ended' ? said : null;
  useEffect(() => {
    onState?.(told);
    return () => onState?.(null);
  }, [onState, told]);
  // Before its turn there is no page and no step to be seen.
  const isAhead = isRunning && run.entries.length === 0 && (state === undefined || state === 'queued');
  return (
    <div className="mb-4">
      {/* No landmark: a conversation may have many. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a name. */}
      <div
        role={isFull ? 'dialog' : 'group'}
        {...attributes}
        ref={box}
        aria-label={t('computer.title')}
        tabIndex={-1}
        data-driving={isDriving || undefined}
        data-typed-in={isRunning || undefined}
        className="computer-run overflow-clip rounded-card border border-edge bg-raised outline-none"
      >
        <div className="computer-head flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-line px-3 py-1.5 not-last:border-b">
          <div className="flex flex-wrap items-baseline gap-x-4 text-sm">
            <p role="status" className="flex items-center gap-2">
              <span aria-hidden data-state={state} className="computer-dot" />
              {said}
            </p>
            {state === 'queued' ? <p className="text-soft">{t('computer.queuedNote')}</p> : null}
          </div>
          {isRunning ? (
            <RunControls
              state={state}
              computer={computer}
              isTyping={isTyping}
              onType={() => setTyping(!isTyping)}
            />
          ) : null}
        </div>
        {isAhead ? null : (
          <div className="computer-panes">
            <PagePane
              message={message}
              run={run}
              shown={shown}
              onShow={setChosen}
              isRunning={isRunning}
              screen={screen}
              computer={computer}
              isTyping={isTyping}
              box={box}
            />
            <div
              data-resting={isDriving || (isRunning && run.asked !== null) || undefined}
              className="computer-steps relative border-line"
            >
              <StepList
                run={run}
                shown={shown}
                onShow={setChosen}
                isRunning={isRunning}
                isLive={isRunning && chosen === null}
              />
            </div>
          </div>
        )}
        {isFull ? <ToastRegion /> : null}
      </div>
    </div>
  );
}

function sayState(t: Translate, state: ComputerState | null, run: BrowserRun): string {
  if (state?.state === 'queued') return t('computer.state.queued', { place: state.place ?? 1 });
  if (state?.state === 'paused') return t('computer.state.paused');
  if (state?.state === 'taken_over') return t('computer.state.takenOver');
  if (state?.state === 'waiting' || run.asked) return t('computer.state.waiting');
  if (state?.state === 'ended') return t('computer.state.ended');
  return t(run.steps.length > 0 || state?.url ? 'computer.state.running' : 'computer.state.starting');
}

function sayLength(t: Translate, { steps }: BrowserRun): string {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return t('computer.noStep');
  const seconds = Math.max(1, Math.round((last.at + last.ms - first.at) / 1000));
  return `${t('computer.stepCount', { count: steps.length })} · ${t('computer.took', { seconds })}`;
}
