import { useQueryClient } from '@tanstack/react-query';
import type { FileInfo, FilePage } from '#contract/message/files.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { QUOTES_KEY } from '../quote/use-quote.ts';
import { isGone } from '../viewer/use-file-info.ts';
import { onlySeen } from './attachments.ts';
import { deletedKey } from './use-picture-state.ts';

/** What can be done with a file of a conversation; each resolves to why it did not work, in words, or to null. */
export function useFileActions(conversationId: string) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const act = async (work: () => Promise<unknown>): Promise<string | null> => {
    let problem: string | null = null;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem = t('chat.changeFailed');
    }
    for (const queryKey of [['files', conversationId], ['kept'], ['file-usage'], QUOTES_KEY])
      void client.invalidateQueries({ queryKey });
    return problem;
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
      const problem = await act(async () => {
        await deleteFile(file);
        client.setQueryData(deletedKey(file.id), true);
      });
      void client.resetQueries({ queryKey: ['file', file.id] });
      return problem;
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

/** Deletes a file. One that is gone was deleted by another tab, or by a request whose answer was lost. */
async function deleteFile({ id }: FileInfo): Promise<void> {
  try {
    await callApi(`/api/files/${id}`, { method: 'DELETE' });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function putEveryTurn({ id }: FileInfo, everyTurn: boolean): Promise<unknown> {
  return callApi(`/api/files/${id}/every-turn`, { method: 'PUT', body: { everyTurn } });
}
