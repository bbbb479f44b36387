import { memo } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Answer } from './answer.tsx';
import { AnswerFooter, type Versions } from './answer-footer.tsx';
import { FailedAnswer } from './failed-answer.tsx';

interface TurnItemProps {
  message: Message;
  pending: boolean;
  place: number;
  count: number;
  older: Message | undefined;
  newer: Message | undefined;
  modelTitle: string;
  retryCost: number;
  /** Null while an answer runs or nothing may be sent. */
  onRetry: ((message: Message) => void) | null;
  onChoose: (message: Message) => void;
}

/** One exchange: the prompt, its answer, and the quiet line beneath. */
export const TurnItem = memo((turn: TurnItemProps) => {
  const { t } = useTranslation('common');
  const { message, onRetry } = turn;
  const versions: Versions = turn;
  const canRetry = message.status !== 'running' && message.status !== 'completed';
  return (
    <article className="group/turn flex flex-col gap-6">
      <h2 className="sr-only">{t('chat.prompt')}</h2>
      <p
        dir="auto"
        className="max-w-[85%] self-end whitespace-pre-wrap rounded-card bg-sunken px-4 py-2.5 wrap-anywhere"
      >
        {message.content}
      </p>
      <div>
        <Answer message={message} pending={turn.pending} />
        {message.status === 'failed' || message.status === 'interrupted' ? (
          <FailedAnswer message={message} />
        ) : null}
        <AnswerFooter
          message={message}
          modelTitle={turn.modelTitle}
          versions={versions}
          onChoose={turn.onChoose}
          onRetry={canRetry && onRetry ? () => onRetry(message) : null}
          retryCost={turn.retryCost}
        />
      </div>
    </article>
  );
});
