import type { QueryClient } from '@tanstack/react-query';
import type { UserRecord } from '#contract/accounts.ts';
import type { Catalogue } from '#contract/catalogue.ts';
import type { Conversation, ConversationPage } from '#contract/chat.ts';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';
import { conversationKey, conversationsKey } from '#web/features/chat/list/conversation-cache.ts';
import { type KnownMessages, messagesKey } from '#web/features/chat/messages/message-cache.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { CATALOGUE_COPY, LIST_COPY, messagesCopy, USER_COPY } from './copy-names.ts';
import { deleteCopy, keepCopy, listCopies, openVault } from './vault.ts';

/** Changes come in bursts: a streamed answer's end, a page of messages, the title. */
const CALM_MS = 1_500;
/** Of one conversation, the newest of what was read; the list likewise, from its top. */
const MAX_MESSAGES = 300;
const MAX_LIST = 300;

/**
 * Keeps on this device, encrypted, what the chat needs to show without a network what was opened in it: the user, the list, the
 * models, and each conversation that is read, but none that is temporary. Goes on until the function it returns is called.
 */
export function keepOpened(client: QueryClient, userId: string): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let left = false;
  const cache = client.getQueryCache();
  const plan = (queryKey: readonly unknown[]) => {
    const work = workFor(client, userId, queryKey);
    if (!work) return;
    const name = JSON.stringify(queryKey);
    clearTimeout(timers.get(name));
    timers.set(
      name,
      setTimeout(() => whenIdle(() => void work().catch(() => {})), CALM_MS),
    );
  };
  const begin = async () => {
    if (!(await openVault(userId)) || left) return;
    unsubscribe = cache.subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') plan(event.query.queryKey);
    });
    for (const query of cache.getAll()) if (query.state.data !== undefined) plan(query.queryKey);
    await deleteGone(client);
  };
  let unsubscribe = () => {};
  void begin().catch(() => {});
  return () => {
    left = true;
    unsubscribe();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

/** How what stands under a key is kept; null where it is not. */
function workFor(
  client: QueryClient,
  owner: string,
  queryKey: readonly unknown[],
): (() => Promise<void>) | null {
  const [kind, id] = queryKey;
  if (kind === 'me') return () => keep(owner, USER_COPY, client.getQueryData<UserRecord | null>(queryKey));
  if (kind === catalogueQuery.queryKey[0])
    return () => keep(owner, CATALOGUE_COPY, client.getQueryData<Catalogue>(queryKey));
  if (kind === conversationsKey[0] && id === conversationsKey[1])
    return () => keep(owner, LIST_COPY, topOf(client.getQueryData<ConversationPage>(queryKey)));
  if (kind === 'messages' && typeof id === 'string') return () => keepConversation(client, owner, id);
  return null;
}

async function keep(owner: string, name: string, value: unknown): Promise<void> {
  if (value) await keepCopy(owner, name, value);
}

async function keepConversation(client: QueryClient, owner: string, id: string): Promise<void> {
  const conversation = await findConversation(client, id);
  const known = client.getQueryData<KnownMessages>(messagesKey(id));
  if (!conversation || conversation.temporary || !known || known.messages.length === 0) return;
  await keepCopy(owner, messagesCopy(id), { ...known, messages: known.messages.slice(-MAX_MESSAGES) });
}

function topOf(list: ConversationPage | undefined): ConversationPage | undefined {
  return list && { ...list, conversations: list.conversations.slice(0, MAX_LIST) };
}

/** What this page knows of a conversation; what it does not know might be temporary. */
function knownConversation(client: QueryClient, id: string): Conversation | undefined {
  const list = client.getQueryData<ConversationPage>(conversationsKey);
  return (
    list?.conversations.find((one) => one.id === id) ?? client.getQueryData<Conversation>(conversationKey(id))
  );
}

async function findConversation(client: QueryClient, id: string): Promise<Conversation | undefined> {
  return knownConversation(client, id) ?? (await askFor(client, id)) ?? undefined;
}

/** Null where the server has no such conversation; undefined where it was not reached. */
async function askFor(client: QueryClient, id: string): Promise<Conversation | null | undefined> {
  try {
    const conversation = await callApi<Conversation>(`/api/conversations/${id}`);
    client.setQueryData(conversationKey(id), conversation);
    return conversation;
  } catch (error) {
    return error instanceof ApiError && error.code === 'not_found' ? null : undefined;
  }
}

/** Deletes the copies of conversations that were deleted elsewhere, while this device was away. */
async function deleteGone(client: QueryClient): Promise<void> {
  const list = await client
    .ensureQueryData<ConversationPage>({ queryKey: conversationsKey })
    .catch(() => undefined);
  if (!list) return;
  for (const id of await listCopies()) {
    const isListed = list.conversations.some((one) => one.id === id);
    if (!isListed && (await askFor(client, id)) === null) await deleteCopy(id);
  }
}

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 5_000 });
  else setTimeout(work, 0);
}
