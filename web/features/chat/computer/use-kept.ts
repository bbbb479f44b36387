import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Message } from '#contract/chat.ts';
import type { KeepRequest, Kept, KeptList } from '#contract/message/computer.ts';
import type { FileInfo } from '#contract/message/files.ts';
import { keyOfKept } from '#contract/message/key-of-kept.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { refusalText } from './use-computer.ts';

export interface KeptFiles {
  /** The file that something was kept as; null where it was not. */
  find(thing: KeepRequest): FileInfo | null;
  isBusy(thing: KeepRequest): boolean;
  /** Keeps it as a file of the conversation; says so where that does not work. */
  keep(thing: KeepRequest): Promise<void>;
}

/** What the reader kept of a run, and keeping more of it. */
export function useKept({ id, conversationId }: Pick<Message, 'id' | 'conversationId'>): KeptFiles {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const queryKey = ['kept', id];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi<KeptList>(`/api/messages/${id}/kept`, { signal }),
    retry: 1,
  });
  return {
    find: (thing) => data?.kept.find(({ key }) => key === keyOfKept(thing))?.file ?? null,
    isBusy: (thing) => busy.has(keyOfKept(thing)),
    async keep(thing) {
      const key = keyOfKept(thing);
      setBusy((before) => new Set([...before, key]));
      try {
        const body = thing;
        const kept = await callApi<Kept>(`/api/messages/${id}/kept`, { method: 'POST', body });
        await client.cancelQueries({ queryKey });
        client.setQueryData<KeptList>(queryKey, (before) => ({
          kept: [...(before?.kept ?? []).filter((each) => each.key !== key), kept],
        }));
        for (const changed of [['files', conversationId], ['file-usage']])
          void client.invalidateQueries({ queryKey: changed });
      } catch (error) {
        showAlert(refusalText(t, error));
      } finally {
        setBusy((before) => new Set([...before].filter((each) => each !== key)));
      }
    },
  };
}
