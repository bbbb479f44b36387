import type { QueryClient } from '@tanstack/react-query';
import type { UserRecord } from '#contract/accounts.ts';
import type { Message, SendMessage, SentEvent } from '#contract/chat.ts';
import { ApiError, TIMEOUT_MS } from '#web/lib/api.ts';
import { openEventStream } from '#web/lib/events/event-stream.ts';
import { mayHaveArrived } from '../messages/failure-text.ts';
import { keepStream } from '../messages/kept-streams.ts';
import { type KnownMessages, messagesKey } from '../messages/message-cache.ts';

/** Whether the live channel reported a message whose own response never came, or said nothing of it. */
export function hasArrived(
  client: QueryClient,
  { id, conversationId }: SendMessage,
  error: ApiError,
): boolean {
  const known = client.getQueryData<KnownMessages>(messagesKey(conversationId));
  return mayHaveArrived(error) && (known?.messages.some((message) => message.id === id) ?? false);
}

/** Pauses before a message is sent again that got no answer. */
const PAUSES_MS = [500, 1500];

/**
 * Sends a message, and keeps the stream of its answer for the one who shows it. When no answer comes it is sent again, twice, under
 * the same id, which the server counts as one message and one charge; but never for another user, who signed in meanwhile. Throws
 * `ApiError`; with `network` it stays unknown whether the message arrived.
 */
export async function sendMessage(client: QueryClient, message: SendMessage): Promise<Message> {
  const sender = userOf(client);
  for (const pause of PAUSES_MS) {
    try {
      return await sendOnce(message);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'network')) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (userOf(client) !== sender) throw error;
    }
  }
  return sendOnce(message);
}

function userOf(client: QueryClient): string | undefined {
  return client.getQueryData<UserRecord | null>(['me'])?.uid;
}

async function sendOnce(message: SendMessage): Promise<Message> {
  const controller = new AbortController();
  const timeout = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const stream = await openEventStream('/api/messages', { body: message, controller });
    const first = await stream?.next();
    if (!stream || first?.event !== 'message') throw new ApiError('network');
    const { message: sent } = JSON.parse(first.data) as SentEvent['data'];
    keepStream(sent.id, stream);
    return sent;
  } catch (error) {
    controller.abort();
    throw error instanceof ApiError ? error : new ApiError('network');
  } finally {
    clearTimeout(timeout);
  }
}
