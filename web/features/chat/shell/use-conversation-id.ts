import { useState } from 'react';
import { useParams } from 'react-router';
import { v7 as newId } from 'uuid';

export interface ConversationId {
  id: string;
  /** Nothing was sent into it yet, so the address does not name it. */
  isNew: boolean;
}

/**
 * The conversation on screen: the one the address names, else a new one under an id made here. When the new one gets its address
 * the id stays, so nothing on screen begins anew; leaving it for `/chat` makes another id.
 */
export function useConversationId(): ConversationId {
  const { conversationId } = useParams();
  const [fresh, setFresh] = useState(() => ({ id: newId(), named: false }));
  if (conversationId === fresh.id && !fresh.named) setFresh({ ...fresh, named: true });
  if (conversationId === undefined && fresh.named) setFresh({ id: newId(), named: false });
  return { id: conversationId ?? fresh.id, isNew: conversationId === undefined };
}
