import type { QueryClient } from '@tanstack/react-query';
import type { UserRecord } from '#contract/accounts.ts';
import type { LiveEvent } from '#contract/live.ts';
import { forgetUser } from '#web/features/accounts/forget-user.ts';
import { putOrder } from '#web/features/billing/order-query.ts';
import { putConversation, removeConversation } from '#web/features/chat/conversation-cache.ts';
import { messagesKey, putMessage } from '#web/features/chat/message-cache.ts';
import { ApiError } from '#web/lib/api.ts';
import { followEvents } from '#web/lib/sse.ts';
import { endLive, setLive } from './live-state.ts';

/** What another tab or device may have changed while nothing was heard. */
const STALE_KEYS = [['me'], ['messages'], ['conversations'], ['catalogue'], ['billing'], ['credits']];
/** What may have changed between the page's first look and the first moment at which news is heard: a payment just made. */
const FIRST_KEYS = [['me'], ['billing']];

/** Keeps this page in step with the user's other tabs and devices until the function it gives back is called. */
export function followLive(client: QueryClient): () => void {
  const controller = new AbortController();
  let opened = false;
  followEvents('/api/live', {
    signal: controller.signal,
    onOpen: () => {
      setLive(true);
      for (const queryKey of opened ? STALE_KEYS : FIRST_KEYS) void client.invalidateQueries({ queryKey });
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
      if (error.status === 401) void client.invalidateQueries({ queryKey: ['me'] });
    })
    .finally(endLive);
  return () => controller.abort();
}

/** Writes one event into what the page shows. */
export function applyLiveEvent(client: QueryClient, event: LiveEvent): void {
  switch (event.type) {
    case 'message':
      putMessage(client, event.data.message);
      break;
    case 'conversation':
      putConversation(client, event.data.conversation);
      break;
    case 'conversation_deleted':
      removeConversation(client, event.data.id);
      client.removeQueries({ queryKey: messagesKey(event.data.id) });
      break;
    case 'credits':
      changeUser(client, { credits: event.data.credits });
      void client.invalidateQueries({ queryKey: ['credits'] });
      break;
    case 'subscription':
      changeUser(client, { subscription: event.data.subscription });
      void client.invalidateQueries({ queryKey: ['catalogue'] });
      void client.invalidateQueries({ queryKey: ['billing', 'status'] });
      break;
    case 'order':
      putOrder(client, event.data.order);
      void client.invalidateQueries({ queryKey: ['billing'] });
      break;
    case 'profile':
      changeUser(client, event.data);
      break;
    case 'signed_out':
      forgetUser(client);
      break;
  }
}

function changeUser(client: QueryClient, change: Partial<UserRecord>): void {
  client.setQueryData<UserRecord | null>(['me'], (user) => user && { ...user, ...change });
}
