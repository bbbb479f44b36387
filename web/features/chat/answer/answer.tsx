import { useEffect, useState } from 'react';
import type { Message, NoticeCode } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { AnswerText } from './answer-text.tsx';
import { useLiveAnswer } from './live-answer.ts';
import { SpokenAnswer } from './spoken/spoken-answer.tsx';

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
  const text = running && live.text.length >= message.response.length ? live.text : message.response;
  return (
    <>
      <SpokenAnswer text={text} running={running} />
      <div aria-busy={running}>
        <TurnNotes message={message} notices={live.notices} />
        {running && text === '' ? <Thinking since={message.timestamp} /> : null}
        {text === '' ? null : <AnswerText messageId={message.id} text={text} running={running} />}
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
