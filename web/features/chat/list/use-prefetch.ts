import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { newestMessages } from '../messages/use-messages.ts';

/** What the pointer or the focus only passes is not read. */
const PAUSE_MS = 40;

/** The handlers of a link to a conversation: its newest messages are read as soon as it looks as if it were to be followed. */
export function usePrefetch(conversationId: string) {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const read = () => void client.prefetchQuery(newestMessages(client, conversationId));
  const soon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(read, PAUSE_MS);
  };
  const drop = () => clearTimeout(timer.current);
  return {
    onPointerEnter: soon,
    onPointerLeave: drop,
    onPointerDown: read,
    onFocus: soon,
    onBlur: drop,
  };
}
