import { useQuery } from '@tanstack/react-query';
import type { Conversation } from '#contract/chat.ts';
import { callApi } from '#web/lib/api.ts';
import { conversationKey } from '../list/conversation-cache.ts';
import { type Conversations, useConversations } from '../list/use-conversations.ts';
import { useConversationId } from './use-conversation-id.ts';

/** The list of conversations, and the one of them, or the new one, that is on screen. */
export function useConversationOnScreen() {
  const { id, isNew } = useConversationId();
  const conversations = useConversations();
  const known = useKnownConversation(id, isNew, conversations);
  return { id, isNew, conversations, conversation: isNew ? undefined : known };
}

/** What is known of a conversation: from the list, else (archived, temporary, far down) asked for by itself. */
function useKnownConversation(
  id: string,
  isNew: boolean,
  { conversations }: Conversations,
): Conversation | undefined {
  const listed = conversations?.find((one) => one.id === id);
  const { data } = useQuery({
    queryKey: conversationKey(id),
    queryFn: ({ signal }) => callApi<Conversation>(`/api/conversations/${id}`, { signal }),
    enabled: !isNew && conversations !== undefined && !listed,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return listed ?? data;
}
