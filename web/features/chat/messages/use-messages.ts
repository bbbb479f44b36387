import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Message, MessagePage } from '#contract/chat.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { mergeLatest, mergeOlder, messagesKey } from './message-cache.ts';

const NONE: readonly Message[] = [];

export interface Messages {
  messages: readonly Message[];
  state: 'loading' | 'ready' | 'missing' | 'failed';
  retry(): void;
  /** Reads the next older page; null when there is none. */
  loadOlder: (() => Promise<void>) | null;
}

/** The messages of a conversation, oldest first; nothing is asked while it `isNew`. The live channel keeps them up to date. */
export function useMessages(conversationId: string, isNew: boolean): Messages {
  const client = useQueryClient();
  const key = messagesKey(conversationId);
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const page = await callApi<MessagePage>(addressOf(conversationId, null), { signal });
      return mergeLatest(client.getQueryData<MessagePage>(key), page);
    },
    enabled: !isNew,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (failures, cause) => failures < 3 && !isMissing(cause),
  });
  const cursor = data?.nextCursor ?? null;
  const loadOlder = useCallback(async () => {
    if (cursor === null) return;
    const page = await callApi<MessagePage>(addressOf(conversationId, cursor));
    client.setQueryData<MessagePage>(
      messagesKey(conversationId),
      (known) => known && mergeOlder(known, page),
    );
  }, [client, conversationId, cursor]);
  return {
    messages: data?.messages ?? NONE,
    state: data || isNew ? 'ready' : stateOf(error),
    retry: () => void refetch(),
    loadOlder: cursor === null ? null : loadOlder,
  };
}

function addressOf(conversationId: string, before: string | null): string {
  const query = new URLSearchParams({ conversationId, ...(before === null ? {} : { before }) });
  return `/api/messages?${query}`;
}

function stateOf(error: unknown): Messages['state'] {
  if (!error) return 'loading';
  return isMissing(error) ? 'missing' : 'failed';
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_request');
}
