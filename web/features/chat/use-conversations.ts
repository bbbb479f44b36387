import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Conversation, ConversationPage } from '#contract/chat.ts';
import { callApi } from '#web/lib/api.ts';
import { conversationsKey, mergeNewest, mergeOlderPage } from './conversation-cache.ts';

export interface Conversations {
  conversations: readonly Conversation[] | undefined;
  failed: boolean;
  /** Reads the next older page; null when there is none. */
  loadOlder: (() => Promise<void>) | null;
}

/** The user's conversations, newest first; the live channel keeps them up to date. */
export function useConversations(): Conversations {
  const client = useQueryClient();
  const { data, isError } = useQuery({
    queryKey: conversationsKey,
    queryFn: async ({ signal }) => {
      const page = await callApi<ConversationPage>('/api/conversations', { signal });
      return mergeNewest(client.getQueryData<ConversationPage>(conversationsKey), page);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const cursor = data?.nextCursor ?? null;
  const loadOlder = useCallback(async () => {
    if (cursor === null) return;
    const page = await callApi<ConversationPage>(`/api/conversations?cursor=${encodeURIComponent(cursor)}`);
    client.setQueryData<ConversationPage>(conversationsKey, (known) => known && mergeOlderPage(known, page));
  }, [client, cursor]);
  return {
    conversations: data?.conversations,
    failed: isError,
    loadOlder: cursor === null ? null : loadOlder,
  };
}
