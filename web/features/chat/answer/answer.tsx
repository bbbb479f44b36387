import { useEffect, useMemo, useState } from 'react';
import type { Message, NoticeCode } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { AnswerText } from './answer-text.tsx';
import { useLiveAnswer } from './live-answer.ts';
import { isUnderWay, type PlacedPart, viewEnded, viewLive } from './parts/read-parts.ts';
import { SpokenAnswer } from './spoken/spoken-answer.tsx';

const loadBlocks = () => import('./parts/answer-parts.tsx');
const loadComputer = () => import('../computer/computer-run.tsx');
const loadTables = () => import('../computer/page-tables.tsx');
const loadSources = () => import('./parts/source-list.tsx');

interface AnswerProps {
  message: Message;
  /** The server has not confirmed the message yet, so there is nothing to follow. */
  pending: boolean;
  /** It is in sight when the conversation is opened, so that its end is drawn with the page. */
  fresh?: boolean;
  /** Is told how the browser that is driven for it stands, in words; null once it does not any more. */
  onRunState?: (state: string | null) => void;
}

/** The answer of one message; while it runs, this alone redraws. */
export function Answer({ message, pending, fresh = false, onRunState }: AnswerProps) {
  const { t } = useTranslation('common');
  const [since] = useState(() => (pending ? Date.now() : message.timestamp));
  const live = useLiveAnswer(message, pending, since);
  const running = message.status === 'running';
  const isLive = running && live.text.length >= message.response.length;
  const view = isLive ? viewLive(live) : viewEnded(message);
  const { text, reasoning, thoughtMs, stretches, sources, tables } = view;
  const [wasRunning] = useState(running);
  const [wasFresh] = useState(fresh);
  const isPlain = reasoning === '' && stretches.every(({ kind }) => kind === 'text');
  const isWaiting = running && stretches.length === 0;
  const blocks = useModule(!isPlain, loadBlocks);
  const isDriven = message.computer === 'browser';
  const computer = useModule(isDriven, loadComputer);
  const folded = useModule(tables.length > 0, loadTables);
  const list = useModule(sources !== null, loadSources);
  return (
    <>
      <SpokenAnswer text={text} running={running} />
      <div aria-busy={running} className="flow-root">
        <TurnNotes message={message} notices={live.notices} />
        {isDriven ? (
          <DrivenBrowser
            message={message}
            live={isLive ? live.parts : null}
            module={computer}
            onState={onRunState}
          />
        ) : null}
        {isWaiting && !isDriven && !(blocks && reasoning !== '') ? <Thinking since={since} /> : null}
        {blocks && reasoning !== '' ? (
          <blocks.Reasoning text={reasoning} since={isWaiting ? since : null} took={thoughtMs} />
        ) : null}
        {/* Its place, folded, until its code is here. */}
        {!blocks && reasoning !== '' && !isWaiting ? (
          <div className="my-2 min-h-8 pointer-coarse:min-h-11" />
        ) : null}
        {stretches.map((stretch, place) =>
          stretch.kind === 'text' ? (
            <AnswerText
              // biome-ignore lint/suspicious/noArrayIndexKey: a stretch never changes its place.
              key={place}
              messageId={place === 0 ? message.id : `${message.id}-${place}`}
              text={stretch.text}
              start={stretch.start}
              sources={sources}
              running={running && place === stretches.length - 1}
              watched={wasRunning || wasFresh}
            />
          ) : blocks ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <blocks.PartBlock key={place} stretch={stretch} running={running && isUnderWay(stretch)} />
          ) : null,
        )}
        {folded && tables.length > 0 ? <folded.PageTables message={message} tables={tables} /> : null}
        {list && sources ? (
          <list.SourceList sources={sources} at={message.endedAt ?? message.timestamp} late={wasRunning} />
        ) : null}
        {running && live.lost ? (
          <p role="status" className="mt-2 text-soft text-sm">
            {t('chat.lost')}
          </p>
        ) : null}
      </div>
    </>
  );
}

interface DrivenBrowserProps {
  message: Message;
  /** What came of it while it runs; null once it ended. */
  live: readonly PlacedPart[] | null;
  module: Awaited<ReturnType<typeof loadComputer>> | null;
  onState: AnswerProps['onRunState'];
}

/** What the model does in a browser. Until its code is here, its place is kept. */
function DrivenBrowser({ message, live, module, onState }: DrivenBrowserProps) {
  const parts = useMemo(() => live?.map(({ part }) => part) ?? message.parts ?? [], [live, message.parts]);
  if (module) return <module.ComputerRun message={message} parts={parts} onState={onState} />;
  const isUnderWay = message.status === 'running' && parts.length > 0;
  return <div className={isUnderWay ? 'aspect-[8/5]' : 'mb-3 min-h-9 pointer-coarse:min-h-11'} />;
}

/** What the reader should know of how an answer came about: older turns left out, another route taken. */
function TurnNotes({ message, notices }: { message: Message; notices: readonly NoticeCode[] }) {
  const { t } = useTranslation('common');
  const trimmed = message.contextTrimmed || notices.includes('context_trimmed');
  const switched = message.upstreamSwitched || notices.includes('upstream_switched');
  const words = message.computer === 'words';
  if (!trimmed && !switched && !words) return null;
  return (
    <div className="mb-2 text-soft text-sm">
      {trimmed ? <p>{t('chat.contextTrimmed')}</p> : null}
      {switched ? <p>{t('chat.switched')}</p> : null}
      {words ? <p>{t('computer.words')}</p> : null}
    </div>
  );
}

/** After so long without a first word the page says that this is unusual. */
const SLOW_MS = 8000;

/** Shown until the first word; `since` is when the question was sent, in epoch milliseconds. */
function Thinking({ since }: { since: number }) {
  const { t } = useTranslation('common');
  const [slow, setSlow] = useState(() => Date.now() - since > SLOW_MS);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), Math.max(0, since + SLOW_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  return (
    <div role="status" className="text-soft">
      <p className="animate-pulse motion-reduce:animate-none">{t('chat.thinking')}</p>
      {slow ? <p className="mt-1 text-sm">{t('chat.slow')}</p> : null}
    </div>
  );
}
