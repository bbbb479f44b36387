import { createParser } from 'eventsource-parser';
import { errorFrom } from '../api.ts';
import { awaitRenewal } from '../session-renewal.ts';

export interface ServerEvent {
  /** The last `id:` received so far, `''` if none. */
  id: string;
  event: string;
  data: string;
}

/** One open stream of server-sent events (https://html.spec.whatwg.org, 9.2), read event by event. */
export interface EventStream {
  /** The next event; null when the server has ended the stream. Throws when the connection breaks or was closed. */
  next(): Promise<ServerEvent | null>;
  /** When bytes came last, heartbeats among them, as `Date.now()`. */
  readonly lastByteAt: number;
  /** Ends the connection. */
  readonly controller: AbortController;
}

/** A request for events; `lastId` is that of the last event received before, `''` if none. */
export interface EventRequest {
  lastId?: string;
  /** Posted as JSON; without it the stream is read with GET. */
  body?: unknown;
  controller?: AbortController;
}

/**
 * Opens a stream of events; null where the server says that there is none (204). Throws `ApiError` when it answers anything else,
 * and what `fetch` throws when no answer comes or `controller` aborts. One that is refused while the session gets another cookie is
 * asked for once more.
 */
export async function openEventStream(url: string, request: EventRequest): Promise<EventStream | null> {
  const { lastId = '', body, controller = new AbortController() } = request;
  const ask = () =>
    fetch(url, {
      headers: {
        accept: 'text/event-stream',
        ...(lastId === '' ? {} : { 'last-event-id': lastId }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      signal: controller.signal,
      credentials: 'same-origin',
      cache: 'no-store',
    });
  let response = await ask();
  if (response.status === 401 && (await awaitRenewal())) response = await ask();
  if (response.status === 204) return null;
  if (!response.ok || !response.body) throw errorFrom(response.status, await response.text());
  return new OpenStream(response.body, lastId, controller);
}

class OpenStream implements EventStream {
  lastByteAt = Date.now();
  readonly controller: AbortController;
  private readonly reader: ReadableStreamDefaultReader<string>;
  private readonly parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (id !== undefined) this.lastId = id;
      this.waiting.push({ id: this.lastId, event: event ?? 'message', data });
    },
  });
  private lastId: string;
  private waiting: ServerEvent[] = [];

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>, lastId: string, controller: AbortController) {
    this.reader = body.pipeThrough(new TextDecoderStream()).getReader();
    this.lastId = lastId;
    this.controller = controller;
  }

  async next(): Promise<ServerEvent | null> {
    for (;;) {
      const event = this.waiting.shift();
      if (event) return event;
      const { done, value } = await this.reader.read();
      if (done) return null;
      this.lastByteAt = Date.now();
      this.parser.feed(value);
    }
  }
}
