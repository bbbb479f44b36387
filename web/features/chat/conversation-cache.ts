import type { QueryClient } from '@tanstack/react-query';
import type { Conversation, ConversationPage } from '#contract/chat.ts';

/** Where TanStack Query keeps the list of conversations, as one `ConversationPage` that grows at its end. */
export const conversationsKey = ['conversations'] as const;

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

/** Writes one conversation into the list, in its place by last change. */
export function putConversation(client: QueryClient, conversation: Conversation): void {
  client.setQueryData<ConversationPage>(conversationsKey, (known) => {
    if (!known) return known;
    const others = known.conversations.filter(({ id }) => id !== conversation.id);
    const conversations = [conversation, ...others].sort((a, b) => b.updatedAt - a.updatedAt);
    return { ...known, conversations };
  });
}

/** Takes a deleted conversation off the list. */
export function removeConversation(client: QueryClient, id: string): void {
  client.setQueryData<ConversationPage>(
    conversationsKey,
    (known) => known && { ...known, conversations: known.conversations.filter((one) => one.id !== id) },
  );
}

function unique(conversations: readonly Conversation[]): Conversation[] {
  return [...new Map(conversations.map((one) => [one.id, one])).values()];
}
