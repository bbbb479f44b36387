import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Conversation, ConversationPage } from '#contract/chat.ts';
import { LIST_COPY } from '#web/features/offline/copy-names.ts';
import { orCopy } from '#web/features/offline/or-copy.ts';
import { callApi } from '#web/lib/api.ts';
import { archiveKey, conversationsKey, mergeNewest, mergeOlderPage } from './conversation-cache.ts';

export interface Conversations {
  conversations: readonly Conversation[] | undefined;
  failed: boolean;
  retry(): void;
  /** Reads the next older page; null when there is none. */
  loadOlder: (() => Promise<void>) | null;
}

/** The user's conversations, or those in the archive; the live channel keeps them up to date. */
export function useConversations(archived = false): Conversations {
  const client = useQueryClient();
  const key = archived ? archiveKey : conversationsKey;
  const { data, isError, refetch } = useQuery({
    queryKey: key,
    queryFn: async (context) => {
      const { signal } = context;
      const read = () => callApi<ConversationPage>(addressOf(archived, null), { signal });
      const page = archived ? await read() : await orCopy(LIST_COPY, context, read);
      return mergeNewest(client.getQueryData<ConversationPage>(key), page);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const cursor = data?.nextCursor ?? null;
  const loadOlder = useCallback(async () => {
    if (cursor === null) return;
    const page = await callApi<ConversationPage>(addressOf(archived, cursor));
    client.setQueryData<ConversationPage>(key, (known) => known && mergeOlderPage(known, page));
  }, [client, cursor, archived, key]);
  return {
    conversations: data?.conversations,
    failed: isError,
    retry: () => void refetch(),
    loadOlder: cursor === null ? null : loadOlder,
  };
}

function addressOf(archived: boolean, cursor: string | null): string {
  const query = new URLSearchParams({
    ...(archived ? { archived: 'true' } : {}),
    ...(cursor === null ? {} : { cursor }),
  });
  return query.size === 0 ? '/api/conversations' : `/api/conversations?${query}`;
}
