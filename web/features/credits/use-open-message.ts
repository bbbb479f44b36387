import { useNavigate } from 'react-router';
import type { Message } from '#contract/chat.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { showAlert } from '#web/ui/toast-store.ts';

/** Gives the act of leading to a message in its conversation; says so when it is there no more. */
export function useOpenMessage(): (messageId: string) => Promise<void> {
  const { t } = useTranslation('common');
  const navigate = useNavigate();
  const pathTo = useLocalPath();
  return async (messageId) => {
    try {
      const { conversationId, id } = await callApi<Message>(`/api/messages/${messageId}`);
      await navigate(`${pathTo('chat')}/${conversationId}?message=${id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showAlert(t(error.code === 'not_found' ? 'statement.messageGone' : 'statement.loadFailed'));
    }
  };
}
