import { useEffect, useState } from 'react';
import type { Message, NoticeCode } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { AnswerText } from './answer-text.tsx';
import { useLiveAnswer } from './live-answer.ts';
import { viewEnded, viewLive } from './parts/read-parts.ts';
import { SpokenAnswer } from './spoken/spoken-answer.tsx';

const loadBlocks = () => import('./parts/answer-parts.tsx');
const loadSources = () => import('./parts/source-list.tsx');

interface AnswerProps {
  message: Message;
  /** The server has not confirmed the message yet, so there is nothing to follow. */
  pending: boolean;
}

/** The answer of one message; while it runs, this alone redraws. */
export function Answer({ message, pending }: AnswerProps) {
  const { t } = useTranslation('common');
  const live = useLiveAnswer(message, pending);
  const running = message.status === 'running';
  const isLive = running && live.text.length >= message.response.length;
  const view = isLive ? viewLive(live.text, live.reasoning, live.parts) : viewEnded(message);
  const { text, reasoning, stretches, sources } = view;
  const isPlain = reasoning === '' && stretches.every(({ kind }) => kind === 'text');
  const blocks = useModule(!isPlain, loadBlocks);
  const list = useModule(sources !== null, loadSources);
  return (
    <>
      <SpokenAnswer text={text} running={running} />
      <div aria-busy={running}>
        <TurnNotes message={message} notices={live.notices} />
        {running && text === '' ? <Thinking since={message.timestamp} /> : null}
        {blocks && reasoning !== '' ? (
          <blocks.Reasoning text={reasoning} open={running && text === ''} took={message.firstTextMs} />
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
            />
          ) : blocks ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <blocks.PartBlock key={place} part={stretch.part} />
          ) : null,
        )}
        {list && sources ? <list.SourceList sources={sources} /> : null}
        {running && live.lost ? (
          <p role="status" className="mt-2 text-soft text-sm">
            {t('chat.lost')}
          </p>
        ) : null}
      </div>
    </>
  );
}

/** What the reader should know of how an answer came about: older turns left out, another route taken. */
function TurnNotes({ message, notices }: { message: Message; notices: readonly NoticeCode[] }) {
  const { t } = useTranslation('common');
  const trimmed = message.contextTrimmed || notices.includes('context_trimmed');
  const switched = message.upstreamSwitched || notices.includes('upstream_switched');
  if (!trimmed && !switched) return null;
  return (
    <div className="mb-2 text-soft text-sm">
      {trimmed ? <p>{t('chat.contextTrimmed')}</p> : null}
      {switched ? <p>{t('chat.switched')}</p> : null}
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
