import { useTranslation } from '#web/lib/i18n.tsx';
import { ChatState } from './chat-state.tsx';

/** Before the first question: what one costs. `cost` in credits; null while not known. */
export function EmptyConversation({ cost }: { cost: number | null }) {
  const { t } = useTranslation('common');
  return (
    <ChatState
      title={t('chat.emptyTitle')}
      text={
        cost === null ? null : (
          <>
            {t('chat.emptyCost', { cost })}
            <br />
            {t('chat.emptyPromise')}
          </>
        )
      }
    />
  );
}
