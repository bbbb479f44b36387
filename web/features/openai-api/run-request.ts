import { createParser } from 'eventsource-parser';
import { ApiError, errorFrom } from '#web/lib/api.ts';

export interface TriedRequest {
  model: string;
  system: string;
  prompt: string;
}

/** What the server said beside the answer. */
export interface RequestFacts {
  requestId: string;
  charged: number;
  tokens: number;
}

interface Chunk {
  error?: { message: string };
  choices?: { delta?: { content?: string } }[];
  usage?: { total_tokens: number; credits_charged: number };
}

/** What came in a stream. */
interface Said {
  facts: RequestFacts;
  /** The server's own words for what went wrong. */
  fault?: string;
  /** It ended as it should. */
  isDone: boolean;
}

/** The body that a builder's fields stand for. */
export function bodyOf({ model, system, prompt }: TriedRequest) {
  const instructions = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  return { model, messages: [...instructions, { role: 'user', content: prompt }], stream: true };
}

/**
 * Runs a request in the reader's own name and hands its text on as it comes. Throws `ApiError`, `network` also for a stream that breaks
 * or ends too early, and `Error` with the server's own words for a fault in a stream; aborting `signal` counts as Stop.
 */
export async function runRequest(
  request: TriedRequest,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<RequestFacts> {
  const body = JSON.stringify({ ...bodyOf(request), stream_options: { include_usage: true } });
  const headers = { 'content-type': 'application/json' };
  const said: Said = { facts: { requestId: '', charged: 0, tokens: 0 }, isDone: false };
  try {
    const response = await fetch('/api/completions', { method: 'POST', headers, body, signal });
    if (!response.ok || !response.body) throw errorFrom(response.status, await response.text());
    said.facts.requestId = response.headers.get('x-request-id') ?? '';
    await readStream(response.body, said, onText);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ApiError ? error : new ApiError('network');
  }
  if (said.fault !== undefined) throw new Error(said.fault);
  if (!said.isDone) throw new ApiError('network');
  return said.facts;
}

async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  said: Said,
  onText: (text: string) => void,
): Promise<void> {
  const { facts } = said;
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') {
        said.isDone = true;
        return;
      }
      const chunk = JSON.parse(data) as Chunk;
      if (chunk.error) said.fault = chunk.error.message;
      onText(chunk.choices?.[0]?.delta?.content ?? '');
      facts.charged = chunk.usage?.credits_charged ?? facts.charged;
      facts.tokens = chunk.usage?.total_tokens ?? facts.tokens;
    },
  });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) parser.feed(read.value);
}
