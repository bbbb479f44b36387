import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { BranchPage } from '#contract/chat.ts';
import { messagesCopy } from '#web/features/offline/copy-names.ts';
import { orCopy } from '#web/features/offline/or-copy.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { doubtfulIn } from './doubtful-messages.ts';
import { type KnownMessages, mergeNewest, mergePage, messagesKey, NOTHING_KNOWN } from './message-cache.ts';

/** What was seen of a conversation is shown at once when the reader comes back within this time. */
const MESSAGES_KEPT_MS = 3_600_000;

/** A page of the branch through a message: around that, or above or below another one. */
interface BranchPart {
  branch: string;
  before?: string;
  after?: string;
}

export interface Messages {
  known: KnownMessages;
  state: 'loading' | 'ready' | 'missing' | 'failed';
  retry(): void;
  /** Reads a page and adds it to what is known. Throws `ApiError`. */
  read(part: BranchPart): Promise<BranchPage>;
  /** What is known once a message is: reads the page around it unless it is there. Throws `ApiError`. */
  readMessage(id: string): Promise<KnownMessages>;
}

/**
 * The messages of a conversation, first the end of its newest branch; nothing is asked while it `isNew`, unless its first message
 * may have arrived. The live channel keeps them up to date.
 */
export function useMessages(conversationId: string, isNew: boolean): Messages {
  const client = useQueryClient();
  const [mayHaveBegun] = useState(() => doubtfulIn(conversationId) !== undefined);
  const { data, error, refetch } = useQuery({
    ...newestMessages(client, conversationId),
    enabled: !isNew || mayHaveBegun,
  });
  const read = useCallback(
    async (part: BranchPart) => {
      const page = await callApi<BranchPage>(addressOf(conversationId, part));
      client.setQueryData<KnownMessages>(
        messagesKey(conversationId),
        (known) => known && mergePage(known, page),
      );
      return page;
    },
    [client, conversationId],
  );
  const readMessage = useCallback(
    async (id: string) => {
      const look = () => client.getQueryData<KnownMessages>(messagesKey(conversationId)) ?? NOTHING_KNOWN;
      if (!look().messages.some((message) => message.id === id)) await read({ branch: id });
      return look();
    },
    [client, conversationId, read],
  );
  // What is known of a conversation that was deleted elsewhere is no longer shown.
  const known = isMissing(error) ? undefined : data;
  return {
    known: known ?? NOTHING_KNOWN,
    state: known || isNew ? 'ready' : stateOf(error),
    retry: () => void refetch(),
    read,
    readMessage,
  };
}

/** The end of a conversation's newest branch, joined with what is known of it; for the list, which reads it beforehand. */
export function newestMessages(client: QueryClient, conversationId: string) {
  const queryKey = messagesKey(conversationId);
  return queryOptions({
    queryKey,
    queryFn: (context) =>
      orCopy(messagesCopy(conversationId), context, async () => {
        const { signal } = context;
        const page = await callApi<BranchPage>(addressOf(conversationId, { branch: 'newest' }), { signal });
        return mergeNewest(client.getQueryData<KnownMessages>(queryKey) ?? NOTHING_KNOWN, page);
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: MESSAGES_KEPT_MS,
    retry: (failures, cause) => failures < 3 && !isMissing(cause),
  });
}

function addressOf(conversationId: string, part: BranchPart): string {
  return `/api/messages?${new URLSearchParams({ conversationId, ...part })}`;
}

function stateOf(error: unknown): Messages['state'] {
  if (!error) return 'loading';
  return isMissing(error) ? 'missing' : 'failed';
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_request');
}
