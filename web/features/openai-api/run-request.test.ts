import { afterEach, expect, test, vi } from 'vitest';
import { runRequest } from './run-request.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const TEXT = 'data: {"choices":[{"delta":{"content":"Paris"}}]}\n\n';
const USAGE = 'data: {"choices":[],"usage":{"total_tokens":12,"credits_charged":8}}\n\n';
const DONE = 'data: [DONE]\n\n';
const FAULT = 'data: {"error":{"message":"The model failed."}}\n\n';

/** Runs a request that is answered with these frames, and then with the end of the stream or a broken connection. */
async function run(frames: string[], end: 'end' | 'break', signal = new AbortController().signal) {
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      for (const frame of frames) stream.enqueue(new TextEncoder().encode(frame));
    },
    pull(stream) {
      if (end === 'end') stream.close();
      else stream.error(new TypeError('network error'));
    },
  });
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body, { headers: { 'x-request-id': 'r' } }));
  const texts: string[] = [];
  const facts = await runRequest({ model: 'm', system: '', prompt: 'p' }, (text) => texts.push(text), signal);
  return { text: texts.join(''), facts };
}

test('a stream that is done gives its text and what it cost', async () => {
  const facts = { requestId: 'r', charged: 8, tokens: 12 };
  expect(await run([TEXT, USAGE, DONE], 'end')).toEqual({ text: 'Paris', facts });
});

test('a connection that breaks in a stream is told in our words, as is a stream that is not done', async () => {
  await expect(run([TEXT], 'break')).rejects.toMatchObject({ name: 'ApiError', code: 'network' });
  await expect(run([TEXT, USAGE], 'end')).rejects.toMatchObject({ name: 'ApiError', code: 'network' });
});

test('a fault of the stream is told in the words of the server', async () => {
  await expect(run([TEXT, FAULT], 'end')).rejects.toThrow('The model failed.');
});

test('Stop stays Stop', async () => {
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await expect(run([TEXT], 'break', stop.signal)).rejects.toThrow('stopped');
});
