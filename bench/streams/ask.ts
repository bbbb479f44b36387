import { newId } from '#server/platform/ids.ts';
import { createDeltaCounter } from './delta-counter.ts';
import type { Load, MeasuredAnswer } from './measured-answer.ts';
import type { Wire } from './wire.ts';

/** The model of the bench, as the catalogue and as the provider call it. */
export const MODEL = { ours: 'parley-flash', upstream: 'gemini-3.8-flash' };

/** A text that is in answers only, so that tokens can be counted without reading the wire. */
export const TOKEN = '字';

const PROMPT = '请用两种语言说明潮汐是怎么来的。';
const JSON_BODY = 'content-type: application/json';
/** The last chunk of a chunked body. */
const BODY_END = '\r\n0\r\n\r\n';

/** Sends one question over a connection and reads the answer to its end; never throws. */
type Ask = (wire: Wire, load: Load, credential: string) => Promise<MeasuredAnswer>;

/** Our own wire, as the browser uses it: one request that is answered with the message and the events of its answer. */
const askParley: Ask = (wire, { url }, cookie) =>
  watchAnswer(wire, { delta: 'event: text\n', done: 'event: end\n' }, (read) => {
    const conversation = { conversationId: newId(), parentId: null };
    const body = { id: newId(), ...conversation, model: MODEL.ours, content: PROMPT };
    const accept = 'accept: text/event-stream';
    const head = ['POST /api/messages HTTP/1.1', JSON_BODY, accept, `origin: ${url}`, `cookie: ${cookie}`];
    wire.send(head, JSON.stringify(body), read);
  });

/** OpenAI's wire: one streamed request. */
const askApi: Ask = (wire, _load, key) =>
  watchAnswer(wire, { delta: '"content":', done: 'data: [DONE]' }, (read) => {
    const body = { model: MODEL.ours, messages: [{ role: 'user', content: PROMPT }], stream: true };
    const head = ['POST /v1/chat/completions HTTP/1.1', JSON_BODY, `authorization: Bearer ${key}`];
    wire.send(head, JSON.stringify(body), read);
  });

/** The control: the same work straight from the emulator, by the provider's wire. */
const askEmulator: Ask = (wire) =>
  watchAnswer(wire, { delta: '"role":"model"},"index"', done: '"finishReason"' }, (read) => {
    const path = `/v1beta/models/${MODEL.upstream}:streamGenerateContent?alt=sse`;
    const body = { contents: [{ role: 'user', parts: [{ text: PROMPT }] }] };
    wire.send([`POST ${path} HTTP/1.1`, JSON_BODY, 'x-goog-api-key: bench'], JSON.stringify(body), read);
  });

/** How each target is asked. */
export const ASKS: Record<Load['target'], Ask> = {
  emulator: askEmulator,
  parley: askParley,
  api: askApi,
};

type Start = (read: (chunk: Buffer) => void) => void;

function watchAnswer(wire: Wire, markers: { delta: string; done: string }, start: Start) {
  const countDeltas = createDeltaCounter(markers.delta);
  const countDone = createDeltaCounter(markers.done);
  const countEnds = createDeltaCounter(BODY_END);
  const countTokens = createDeltaCounter(TOKEN);
  const times: number[] = [];
  const tokens: number[] = [];
  let done = 0;
  let isAnswered = false;
  return new Promise<MeasuredAnswer>((resolve) => {
    const started = performance.now();
    const finish = (fault: string | null) => {
      const end = performance.now() - started;
      const complete = done > 0 && fault === null;
      resolve({ deltas: Float64Array.from(times), tokens: Float64Array.from(tokens), end, complete, fault });
    };
    wire.onClose = finish;
    start((chunk) => {
      const now = performance.now() - started;
      if (!isAnswered && !isSuccess(chunk)) return finish(chunk.toString('utf8').slice(0, 300));
      isAnswered = true;
      for (let left = countDeltas(chunk); left > 0; left -= 1) times.push(now);
      for (let left = countTokens(chunk); left > 0; left -= 1) tokens.push(now);
      done += countDone(chunk);
      if (countEnds(chunk) > 0) finish(done > 0 ? null : chunk.toString('utf8').slice(0, 300));
    });
  });
}

function isSuccess(head: Buffer): boolean {
  return head.toString('latin1', 0, 10) === 'HTTP/1.1 2';
}
