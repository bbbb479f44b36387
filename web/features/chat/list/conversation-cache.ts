import type { QueryClient } from '@tanstack/react-query';
import type { Conversation, ConversationPage } from '#contract/chat.ts';
import { deleteConversationCopy } from '#web/features/offline/delete-conversation-copy.ts';

/** Where TanStack Query keeps the list of conversations, as one `ConversationPage` that grows at its end. */
export const conversationsKey = ['conversations', 'current'] as const;
/** The same of those in the archive. */
export const archiveKey = ['conversations', 'archive'] as const;

/** Where it keeps what is known of one conversation. */
export const conversationKey = (id: string) => ['conversation', id] as const;

type ListKey = typeof conversationsKey | typeof archiveKey;

/** Joins the newest page just read with the older conversations already loaded behind it. */
export function mergeNewest(known: ConversationPage | undefined, page: ConversationPage): ConversationPage {
  const last = page.conversations.at(-1);
  if (!known || !last || page.nextCursor === null) return page;
  const place = known.conversations.findIndex(({ id }) => id === last.id);
  if (place < 0) return page;
  return {
    conversations: unique([...page.conversations, ...known.conversations.slice(place + 1)]),
    nextCursor: known.nextCursor,
  };
}

/** Puts a page of older conversations behind those known. */
export function mergeOlderPage(known: ConversationPage, page: ConversationPage): ConversationPage {
  return {
    conversations: unique([...known.conversations, ...page.conversations]),
    nextCursor: page.nextCursor,
  };
}

/** Writes what is known of one conversation: into the list it belongs to, in its place, and out of the other. */
export function putConversation(client: QueryClient, conversation: Conversation): void {
  client.setQueryData(conversationKey(conversation.id), conversation);
  const belongs = { current: isCurrent(conversation), archive: conversation.archivedAt !== null };
  place(client, conversationsKey, conversation, belongs.current);
  place(client, archiveKey, conversation, belongs.archive);
}

/** Takes a deleted conversation off the lists, and off this device. */
export function deleteCachedConversation(client: QueryClient, id: string): void {
  void deleteConversationCopy(id);
  client.removeQueries({ queryKey: conversationKey(id) });
  for (const key of [conversationsKey, archiveKey]) {
    client.setQueryData<ConversationPage>(
      key,
      (known) => known && { ...known, conversations: known.conversations.filter((one) => one.id !== id) },
    );
  }
}

function isCurrent({ archivedAt, temporary }: Conversation): boolean {
  return archivedAt === null && !temporary;
}

function place(client: QueryClient, key: ListKey, conversation: Conversation, belongs: boolean): void {
  client.setQueryData<ConversationPage>(key, (known) => {
    if (!known) return known;
    const others = known.conversations.filter(({ id }) => id !== conversation.id);
    if (!belongs)
      return others.length === known.conversations.length ? known : { ...known, conversations: others };
    return { ...known, conversations: [conversation, ...others].sort(inOrder) };
  });
}

/** The pinned ones first, last pinned first; then the others, newest first. */
function inOrder(a: Conversation, b: Conversation): number {
  if (a.pinnedAt !== null || b.pinnedAt !== null) return (b.pinnedAt ?? -1) - (a.pinnedAt ?? -1);
  return b.updatedAt - a.updatedAt;
}

function unique(conversations: readonly Conversation[]): Conversation[] {
  return [...new Map(conversations.map((one) => [one.id, one])).values()];
}
