import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { v7 as newId } from 'uuid';
import type { Conversation } from '#contract/chat.ts';
import { callApi } from '#web/lib/api.ts';
import { hasBegun } from '../conversation/use-delivery.ts';
import { conversationKey } from '../list/conversation-cache.ts';
import { type Conversations, useConversations } from '../list/use-conversations.ts';
import { doubtfulBeginning, doubtfulIn } from '../messages/doubtful-messages.ts';

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

export interface ConversationId {
  id: string;
  /** Nothing was sent into it yet, so the address does not name it. */
  isNew: boolean;
}

/**
 * The conversation on screen: the one the address names, else a new one under an id made here. When the new one gets its address
 * the id stays, so nothing on screen begins anew; leaving it for `/chat` makes another id, also where its first message arrived while
 * another conversation was on screen. After a reload that came before anybody knew whether the first message arrived, it is that one's.
 */
function useConversationId(): ConversationId {
  const { conversationId } = useParams();
  const [fresh, setFresh] = useState(() => doubtfulBeginning() ?? newId());
  const [before, setBefore] = useState(conversationId);
  if (conversationId !== before) {
    setBefore(conversationId);
    if (before === fresh || (conversationId === undefined && hasBegun(fresh))) setFresh(newId());
  }
  return { id: conversationId ?? fresh, isNew: conversationId === undefined };
}

export interface Temporary {
  /** The conversation on screen is kept out of list and search and removed by itself. */
  on: boolean;
  /** Changes that; null once the first message is sent. */
  toggle: (() => void) | null;
}

/**
 * Whether the conversation on screen is temporary: chosen before its first message, and for that one only. Where that message may have
 * arrived, it is known over a reload too: sent otherwise, it would be another message.
 */
export function useTemporary(id: string, isNew: boolean): Temporary {
  const [chosen, setChosen] = useState(temporaryBeginning);
  const on = chosen === id;
  return { on, toggle: isNew ? () => setChosen(on ? null : id) : null };
}

/** The conversation whose first message may have arrived, where it was temporary. */
function temporaryBeginning(): string | null {
  const id = doubtfulBeginning();
  return id !== undefined && doubtfulIn(id)?.temporary ? id : null;
}
