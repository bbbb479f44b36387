import type { QueryClient } from '@tanstack/react-query';
import type { BranchPage, Message } from '#contract/chat.ts';

/** What is known of a conversation: parts of its branches, as they were read or came by the live channel. */
export interface KnownMessages {
  /** In the order of time; between the parts there may be others that were not read. */
  messages: readonly Message[];
  /** By `parentKey`: those under one parent, where the server named more than one. */
  siblings: Readonly<Record<string, Siblings>>;
  /** By message: those around it, where there are more than the server names at once. */
  around: Readonly<Record<string, Siblings>>;
  /** Ids of messages that have nothing below them. */
  leaves: readonly string[];
}

/** Messages under one parent. */
export interface Siblings {
  /** Oldest first. */
  ids: readonly string[];
  /** How many there are before and after those. */
  older: number;
  newer: number;
}

export const NOTHING_KNOWN: KnownMessages = { messages: [], siblings: {}, around: {}, leaves: [] };

/** Where TanStack Query keeps the `KnownMessages` of one conversation. */
export const messagesKey = (conversationId: string) => ['messages', conversationId] as const;

/** What siblings have in common: the id of their parent, `''` for first messages. */
export function parentKey(message: Message): string {
  return message.parentId ?? '';
}

/**
 * Joins what is known with a page of a branch that was just read. A page and a live event may overtake each other, so an ended
 * message is never put back to running.
 */
export function mergePage(known: KnownMessages, page: BranchPage): KnownMessages {
  const named = page.messages.flatMap((message) => {
    const ids = page.siblings[message.id];
    const beyond = page.siblingsBeyond[message.id] ?? { older: 0, newer: 0 };
    return ids ? [{ message, siblings: { ids, ...beyond } }] : [];
  });
  const many = named.filter(({ siblings: { older, newer } }) => older + newer > 0);
  const leaf = page.newerCursor === null && page.leafId !== null ? [page.leafId] : [];
  return {
    messages: join(known.messages, page.messages),
    siblings: {
      ...known.siblings,
      ...Object.fromEntries(named.map(({ message, siblings }) => [parentKey(message), siblings])),
    },
    around: {
      ...known.around,
      ...Object.fromEntries(many.map(({ message, siblings }) => [message.id, siblings])),
    },
    leaves: [...new Set([...known.leaves, ...leaf])],
  };
}

/** The same for the end of the newest branch, read again: what was sent before it may have something below it by now. */
export function mergeNewest(known: KnownMessages, page: BranchPage): KnownMessages {
  const end = page.messages.at(-1);
  const later = known.messages.filter((message) => !end || isAfter(message, end)).map(({ id }) => id);
  return mergePage({ ...known, leaves: known.leaves.filter((id) => later.includes(id)) }, page);
}

/** Writes one message into its conversation if that is open; returns whether it was. What is new has nothing below it. */
export function putMessage(client: QueryClient, message: Message): boolean {
  const key = messagesKey(message.conversationId);
  const known = client.getQueryData<KnownMessages>(key);
  if (!known) return false;
  const isNew = !known.messages.some(({ id }) => id === message.id);
  client.setQueryData<KnownMessages>(key, {
    ...known,
    messages: join(known.messages, [message]),
    leaves: isNew ? [...known.leaves, message.id] : known.leaves,
  });
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
