import { randomUUID } from 'node:crypto';
import type { Message } from '#contract/chat.ts';
import type { SendOptions } from '#contract/message/quotes.ts';
import type { TestClient } from '../client.ts';
import { type ReceivedEvent, readEvents } from '../events.ts';

export interface Draft {
  id: string;
  conversationId: string;
  parentId: string | null;
  model: string;
  content: string;
  options?: SendOptions;
  files?: string[];
  maxCredits?: number;
}

/** A prompt for a new conversation with the cheapest model, with what `over` says otherwise. */
export function draft(over: Partial<Draft> = {}): Draft {
  return {
    id: randomUUID(),
    conversationId: randomUUID(),
    parentId: null,
    model: 'gemini-2.5-flash-lite',
    content: 'What is the capital of France?',
    ...over,
  };
}

/** Sends a message; throws unless it is new. */
export async function send(client: TestClient, over: Partial<Draft> = {}): Promise<Message> {
  const response = await client.post('/api/messages', draft(over));
  if (response.status !== 201)
    throw new Error(`sending answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Message;
}

/** Waits until a message has ended; returns it as its `end` event says it. */
export async function waitForEnd(client: TestClient, messageId: string): Promise<Message> {
  return endOf(await readEvents(client, `/api/messages/${messageId}/events`));
}

/** Sends a message and waits until it has ended. */
export async function ask(client: TestClient, over: Partial<Draft> = {}): Promise<Message> {
  return waitForEnd(client, (await send(client, over)).id);
}

/** The message of the last event, which must be `end`. */
export function endOf(events: ReceivedEvent[]): Message {
  const last = events.at(-1);
  if (last?.event !== 'end') throw new Error(`no end: ${JSON.stringify(last)}`);
  return last.data.message as Message;
}

/** The answer as the events say it. */
export function textOf(events: ReceivedEvent[]): string {
  return events
    .filter((one) => one.event === 'text')
    .map((one) => one.data.text)
    .join('');
}

/** The error that a refused request received. */
export async function refusal(
  response: Response,
): Promise<{ status: number; code: string; params: unknown }> {
  const { error } = (await response.json()) as { error: { code: string; params: unknown } };
  return { status: response.status, code: error.code, params: error.params };
}

/** The spendable credits of the caller. */
export async function creditsOf(client: TestClient): Promise<number> {
  const me = (await (await client.get('/api/me')).json()) as { credits: number };
  return me.credits;
}
