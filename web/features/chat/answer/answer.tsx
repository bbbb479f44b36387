import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { AnswerText } from './answer-text.tsx';
import { Thinking } from './thinking.tsx';
import { TurnNotes } from './turn-notes.tsx';
import { useLiveAnswer } from './use-live-answer.ts';

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
  );
}
