import type { QueryClient } from '@tanstack/react-query';
import type { UserRecord } from '#contract/accounts.ts';
import type { Catalogue } from '#contract/catalogue.ts';
import type { ConversationPage, Message } from '#contract/chat.ts';
import type { LiveEvent } from '#contract/live.ts';
import { clearUser } from '#web/features/accounts/session/clear-user.ts';
import { putOrder } from '#web/features/billing/orders/order-query.ts';
import {
  conversationKey,
  conversationsKey,
  deleteCachedConversation,
  putConversation,
} from '#web/features/chat/list/conversation-cache.ts';
import { deleteMark, putRunning, runningQuery } from '#web/features/chat/list/conversation-marks.ts';
import { messagesKey, putMessage } from '#web/features/chat/messages/message-cache.ts';
import { noteReached } from '#web/features/offline/network-state.ts';
import { ApiError } from '#web/lib/api.ts';
import { followEvents } from '#web/lib/events/follow-events.ts';
import { readAgain, readAgainIfReading } from '#web/lib/read-again.ts';
import { endLive, setLive } from './live-state.ts';

/** What another tab or device may have changed while the channel was lost. */
const STALE_KEYS = [
  ['me'],
  ['messages'],
  ['conversations'],
  ['conversation'],
  runningQuery.queryKey,
  ['catalogue'],
  ['billing'],
  ['credits'],
];
/** What may have changed between the page's first look and the opening of the channel: a payment just made, an answer that ended. */
const FIRST_KEYS = [['me'], ['billing'], runningQuery.queryKey];

/** Keeps this page in step with the user's other tabs and devices until the function it returns is called. */
export function followLive(client: QueryClient): () => void {
  const controller = new AbortController();
  let opened = false;
  followEvents('/api/live', {
    signal: controller.signal,
    onOpen: () => {
      setLive(true);
      if (noteReached() || opened) for (const key of STALE_KEYS) void readAgain(client, key);
      else void readMissed(client);
      opened = true;
    },
    onLost: () => setLive(false),
    onEvent: ({ event, data }) => {
      applyLiveEvent(client, { type: event, data: JSON.parse(data) } as LiveEvent);
      return event === 'signed_out' ? 'done' : undefined;
    },
  })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) void readAgain(client, ['me']);
    })
    .finally(endLive);
  return () => controller.abort();
}

/**
 * Reads again what another tab may have changed between the page's first look and the opening of the channel. The list is short and
 * says by its times whose messages are to be read again: in the ordinary case none. Of one that is not listed (deleted, archived, far
 * down) they are.
 */
export async function readMissed(client: QueryClient): Promise<void> {
  for (const key of FIRST_KEYS) void readAgain(client, key);
  const before = changesOf(client);
  await readAgain(client, ['conversations']);
  const after = changesOf(client);
  const changed = [...after].filter(([id, updatedAt]) => before.get(id) !== updatedAt).map(([id]) => id);
  const unlisted = shownConversations(client).filter((id) => !after.has(id));
  await Promise.all([...changed, ...unlisted].map((id) => readAgain(client, messagesKey(id))));
}

/** The conversations whose messages are on screen. */
function shownConversations(client: QueryClient): string[] {
  const shown = client.getQueryCache().findAll({ queryKey: ['messages'], type: 'active' });
  return shown.map(({ queryKey }) => String(queryKey[1]));
}

/** When each listed conversation was last written to, in epoch milliseconds. */
function changesOf(client: QueryClient): Map<string, number> {
  const list = client.getQueryData<ConversationPage>(conversationsKey)?.conversations ?? [];
  return new Map(list.map(({ id, updatedAt }) => [id, updatedAt]));
}

/** Writes one event into what the page shows; an answer on its way that may not know of it yet is asked for again. */
export function applyLiveEvent(client: QueryClient, event: LiveEvent): void {
  switch (event.type) {
    case 'message':
      applyMessage(client, event.data.message);
      break;
    case 'conversation':
      putConversation(client, event.data.conversation);
      readAgainIfReading(client, ['conversations']);
      readAgainIfReading(client, conversationKey(event.data.conversation.id));
      break;
    case 'conversation_deleted':
      deleteCachedConversation(client, event.data.id);
      deleteMark(event.data.id);
      client.removeQueries({ queryKey: messagesKey(event.data.id) });
      readAgainIfReading(client, ['conversations']);
      break;
    case 'credits':
      changeUser(client, { credits: event.data.credits });
      void readAgain(client, ['credits']);
      break;
    case 'subscription':
      changeUser(client, { subscription: event.data.subscription });
      void readAgain(client, ['catalogue']);
      void readAgain(client, ['billing', 'status']);
      break;
    case 'order':
      putOrder(client, event.data.order);
      void readAgain(client, ['billing']);
      break;
    case 'models':
      markPaused(client, event.data.paused);
      break;
    case 'profile':
      changeUser(client, event.data);
      break;
    case 'signed_out':
      clearUser(client);
      break;
    default:
      // An event of a newer server does nothing; one of ours without a case does not compile.
      event satisfies never;
  }
}

/** A page of messages that arrives later is joined with those known, so only a first one can lack this one. */
function applyMessage(client: QueryClient, message: Message): void {
  putRunning(client, message);
  if (!putMessage(client, message)) readAgainIfReading(client, messagesKey(message.conversationId));
}

function changeUser(client: QueryClient, change: Partial<UserRecord>): void {
  client.setQueryData<UserRecord | null>(['me'], (user) => user && { ...user, ...change });
  readAgainIfReading(client, ['me']);
}

/** Which models can be asked changes in the menu at once. */
function markPaused(client: QueryClient, paused: readonly string[]): void {
  client.setQueryData<Catalogue>(['catalogue'], (catalogue) => {
    if (!catalogue) return catalogue;
    const models = catalogue.models.map((model) => ({ ...model, paused: paused.includes(model.id) }));
    return { ...catalogue, models };
  });
  readAgainIfReading(client, ['catalogue']);
}
