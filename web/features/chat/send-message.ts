import type { Message, SendMessage } from '#contract/chat.ts';
import { ApiError, callApi } from '#web/lib/api.ts';

const PAUSES_MS = [500, 1500];

/**
 * Sends a message. When no answer comes it is sent again, twice, under the same id, which the server counts as one message and
 * one charge. Throws `ApiError`; with `network` it stays unknown whether the message arrived.
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

function post(message: SendMessage): Promise<Message> {
  return callApi<Message>('/api/messages', { method: 'POST', body: message });
}

/** Asks the server to stop an answer; its end arrives with the answer's events. */
export async function stopMessage(id: string): Promise<void> {
  await callApi(`/api/messages/${id}/stop`, { method: 'POST' });
}
