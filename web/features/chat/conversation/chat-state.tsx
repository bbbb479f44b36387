import type { ReactNode } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';

/** A state of the chat that takes its whole place: a sentence that says what happened, and one way on. */
export function ChatState({ title, text, action }: { title: string; text?: ReactNode; action?: ReactNode }) {
  return (
    <div className="m-auto flex max-w-prose flex-col items-center gap-3 px-6 pt-12 pb-6 text-center">
      <h2 className="headline text-3xl">{title}</h2>
      {text ? <p className="text-soft">{text}</p> : null}
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  );
}

interface EmptyConversationProps {
  /** In credits; null while not known. */
  cost: number | null;
  /** Then that is not what it costs; the price stands by the question. */
  hasFiles: boolean;
  temporary: boolean;
}

/** Before the first question: what one costs, and what becomes of a temporary conversation. */
export function EmptyConversation({ cost, hasFiles, temporary }: EmptyConversationProps) {
  const { t } = useTranslation('common');
  return (
    <ChatState
      title={temporary ? t('chat.temporaryTitle') : t('chat.emptyTitle')}
      text={
        cost === null ? null : (
          <>
            {hasFiles ? null : t('chat.emptyCost', { cost })}
            {hasFiles ? null : <br />}
            {temporary ? t('chat.temporaryText') : t('chat.emptyPromise')}
            {/* Nothing beneath moves when a file is attached. */}
            {hasFiles ? <span className="invisible block">{t('chat.emptyCost', { cost })}</span> : null}
          </>
        )
      }
    />
  );
}
