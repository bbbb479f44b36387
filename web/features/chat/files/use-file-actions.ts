import { useQueryClient } from '@tanstack/react-query';
import type { FileInfo, FilePage } from '#contract/message/files.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { QUOTES_KEY } from '../quote/use-quote.ts';
import { onlySeen } from './attachments.ts';
import { deletedKey } from './use-picture-state.ts';

/** What can be done with a file of a conversation; says when it did not work. */
export function useFileActions(conversationId: string) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showAlert(t('chat.changeFailed'));
    }
    for (const queryKey of [['files', conversationId], ['kept'], ['file-usage'], QUOTES_KEY])
      void client.invalidateQueries({ queryKey });
  };
  return {
    change: (file: FileInfo, everyTurn: boolean) => act(() => putEveryTurn(file, everyTurn)),
    /** Has no file read again that can only be seen. */
    leaveOutPictures: () =>
      act(async () => {
        let cursor: string | null = null;
        do {
          const page: FilePage = await readFiles(conversationId, cursor);
          const seen = page.files.filter((file) => file.everyTurn && onlySeen(file));
          await Promise.all(seen.map((file) => putEveryTurn(file, false)));
          cursor = page.nextCursor;
        } while (cursor);
      }),
    remove: async (file: FileInfo) => {
      await act(async () => {
        await callApi(`/api/files/${file.id}`, { method: 'DELETE' });
        client.setQueryData(deletedKey(file.id), true);
      });
      await client.resetQueries({ queryKey: ['file', file.id] });
    },
  };
}

/** A page of the files of a conversation; `cursor` is the `nextCursor` of the page before. Throws `ApiError`. */
export function readFiles(
  conversationId: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<FilePage> {
  const query = cursor === null ? '' : `?${new URLSearchParams({ cursor })}`;
  return callApi(`/api/conversations/${conversationId}/files${query}`, signal ? { signal } : {});
}

function putEveryTurn({ id }: FileInfo, everyTurn: boolean): Promise<unknown> {
  return callApi(`/api/files/${id}/every-turn`, { method: 'PUT', body: { everyTurn } });
}
