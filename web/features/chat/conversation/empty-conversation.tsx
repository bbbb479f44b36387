import { useTranslation } from '#web/lib/i18n.tsx';
import { ChatState } from './chat-state.tsx';

interface EmptyConversationProps {
  /** In credits; null while not known. */
  cost: number | null;
  temporary: boolean;
}

/** Before the first question: what one costs, and what becomes of a temporary conversation. */
export function EmptyConversation({ cost, temporary }: EmptyConversationProps) {
  const { t } = useTranslation('common');
  return (
    <ChatState
      title={temporary ? t('chat.temporaryTitle') : t('chat.emptyTitle')}
      text={
        cost === null ? null : (
          <>
            {t('chat.emptyCost', { cost })}
            <br />
            {temporary ? t('chat.temporaryText') : t('chat.emptyPromise')}
          </>
        )
      }
    />
  );
}
