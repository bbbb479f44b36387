import { createParser } from 'eventsource-parser';
import type { TestClient } from './client.ts';

export interface ReceivedEvent {
  /** Null when the event has no number. */
  id: number | null;
  event: string;
  data: Record<string, unknown>;
}

export interface EventsOptions {
  /** `Last-Event-ID`. */
  after?: number;
  headers?: Record<string, string>;
  /** What to post as JSON; without it the stream is read with GET. */
  body?: unknown;
}

export interface OpenEvents {
  response: Response;
  /** All that came so far. */
  received: ReceivedEvent[];
  /** The next event that `matches`, from the first on; rejects when the stream ends without it. */
  next(matches: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>;
  /** Settles when the stream ends, by whomever. */
  ended: Promise<void>;
  close(): void;
}

/** Opens a stream of server-sent events; throws unless it is one. */
export async function openEvents(
  client: TestClient,
  path: string,
  options: EventsOptions = {},
): Promise<OpenEvents> {
  const controller = new AbortController();
  const headers = {
    accept: 'text/event-stream',
    ...options.headers,
    ...(options.after === undefined ? {} : { 'last-event-id': String(options.after) }),
    ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const posted = options.body === undefined ? {} : { method: 'POST', body: JSON.stringify(options.body) };
  const response = await client.request(path, { ...posted, headers, signal: controller.signal });
  if (response.headers.get('content-type') !== 'text/event-stream' || !response.body)
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const received: ReceivedEvent[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;
  const notify = () => {
    for (const check of waiting) check();
  };
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      received.push({
        id: id === undefined ? null : Number(id),
        event: event ?? 'message',
        data: JSON.parse(data),
      });
      notify();
    },
  });
  const ended = readAll(response.body, (text) => parser.feed(text)).finally(() => {
    isOver = true;
    notify();
  });
  const next = (matches: (event: ReceivedEvent) => boolean) =>
    new Promise<ReceivedEvent>((resolve, reject) => {
      const check = () => {
        const found = received.find(matches);
        if (!found && !isOver) return;
        waiting.delete(check);
        if (found) resolve(found);
        else reject(new Error(`the stream ended without the awaited event: ${JSON.stringify(received)}`));
      };
      waiting.add(check);
      check();
    });
  return { response, received, next, ended, close: () => controller.abort() };
}

/** All events of a stream that ends by itself. */
export async function readEvents(
  client: TestClient,
  path: string,
  options: EventsOptions = {},
): Promise<ReceivedEvent[]> {
  const events = await openEvents(client, path, options);
  await events.ended;
  return events.received;
}

async function readAll(body: ReadableStream<Uint8Array>, onText: (text: string) => void) {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) onText(decoder.decode(chunk, { stream: true }));
  } catch {}
}
