import type { QueryClient } from '@tanstack/react-query';
import type { Message, MessagePage } from '#contract/chat.ts';

/** Where TanStack Query keeps the messages of one conversation, as one `MessagePage` that grows at both ends. */
export const messagesKey = (conversationId: string) => ['messages', conversationId] as const;

/**
 * Joins what is known with a page that was just read. A page and a live event may overtake each other, so an ended message is
 * never put back to running, and a message that the page does not know yet stays.
 */
export function mergeLatest(known: MessagePage | undefined, page: MessagePage): MessagePage {
  const first = page.messages[0];
  if (!known || !first) return page;
  const overlaps = page.nextCursor === null || known.messages.some(({ id }) => id === first.id);
  const kept = overlaps ? known.messages : known.messages.filter((message) => isAfter(message, first));
  return { messages: join(kept, page.messages), nextCursor: overlaps ? known.nextCursor : page.nextCursor };
}

/** Puts a page of older messages before those known. */
export function mergeOlder(known: MessagePage, page: MessagePage): MessagePage {
  return { messages: join(known.messages, page.messages), nextCursor: page.nextCursor };
}

/** Writes one message into its conversation if that is open; gives back whether it was. */
export function putMessage(client: QueryClient, message: Message): boolean {
  const key = messagesKey(message.conversationId);
  const known = client.getQueryData<MessagePage>(key);
  if (!known) return false;
  client.setQueryData<MessagePage>(key, { ...known, messages: join(known.messages, [message]) });
  return true;
}

function join(known: readonly Message[], incoming: readonly Message[]): Message[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of incoming) {
    const before = byId.get(message.id);
    if (before && before.status !== 'running' && message.status === 'running') continue;
    byId.set(message.id, before && isSame(before, message) ? before : message);
  }
  return [...byId.values()].sort((a, b) => (isAfter(a, b) ? 1 : -1));
}

function isAfter(a: Message, b: Message): boolean {
  return a.timestamp === b.timestamp ? a.id > b.id : a.timestamp > b.timestamp;
}

/** Keeps the object, and so the memo of everything drawn from it, when nothing changed. */
function isSame(a: Message, b: Message): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
