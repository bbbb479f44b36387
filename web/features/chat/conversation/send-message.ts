import type { Message, SendMessage, SentEvent } from '#contract/chat.ts';
import { ApiError, callApi, TIMEOUT_MS } from '#web/lib/api.ts';
import { openEventStream } from '#web/lib/event-stream.ts';
import { keepStream } from '../messages/sent-streams.ts';

const PAUSES_MS = [500, 1500];

/**
 * Sends a message, and keeps the stream of its answer for the one who shows it. When no answer comes it is sent again, twice, under
 * the same id, which the server counts as one message and one charge. Throws `ApiError`; with `network` it stays unknown whether
 * the message arrived.
 */
export async function sendMessage(message: SendMessage): Promise<Message> {
  for (const pause of PAUSES_MS) {
    try {
      return await post(message);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'network')) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return post(message);
}

async function post(message: SendMessage): Promise<Message> {
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

/** Asks the server to stop an answer; its end arrives with the answer's events. */
export async function stopMessage(id: string): Promise<void> {
  await callApi(`/api/messages/${id}/stop`, { method: 'POST' });
}
