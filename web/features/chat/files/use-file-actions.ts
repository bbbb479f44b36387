import { useQueryClient } from '@tanstack/react-query';
import type { FileInfo } from '#contract/message/files.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { QUOTES_KEY } from '../quote/use-quote.ts';

/** What can be done with a file of a conversation; says when it did not work. */
export function useFileActions(conversationId: string) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const act = async (path: string, request: Parameters<typeof callApi>[1]) => {
    try {
      await callApi(path, request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showAlert(t('chat.changeFailed'));
    }
    for (const queryKey of [['files', conversationId], ['kept'], ['file-usage'], QUOTES_KEY])
      void client.invalidateQueries({ queryKey });
  };
  return {
    change: (file: FileInfo, everyTurn: boolean) =>
      act(`/api/files/${file.id}/every-turn`, { method: 'PUT', body: { everyTurn } }),
    remove: async (file: FileInfo) => {
      await act(`/api/files/${file.id}`, { method: 'DELETE' });
      client.removeQueries({ queryKey: ['file', file.id] });
    },
  };
}
