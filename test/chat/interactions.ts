import type {
  GenerateRequest,
  GenerateResult,
  Turn,
  Upstream,
} from '#server/chat/upstream/transport/upstream.ts';
import {
  listen,
  nothingReceived,
  openTestUpstream,
  type Received,
  type TestUpstream,
  textTurn,
} from '#test/chat/upstream.ts';

export const FLASH = 'gemini-3.8-flash';
export const GENERATE = `/v1beta/models/${FLASH}:streamGenerateContent?alt=sse`;
export const INTERACTIONS = '/v1beta/interactions';
export const SIGNED = `sig/${FLASH}/x`;

/** A request with a browser. */
export function browsing(turns: Turn[] = [textTurn('user', '打开 shop.test，看看价目表')]): GenerateRequest {
  return { system: 'Be careful.', turns, maxOutputTokens: 900, tools: { browser: true } };
}

/** The end of an answer. */
export function completed(status = 'completed', usage?: object) {
  return { event_type: 'interaction.completed', interaction: { id: '', status, model: FLASH, usage } };
}

/** A stream as the Interactions API sends it. */
function bytesOf(events: object[]): string {
  const said = events.map((event) => `event: e\ndata: ${JSON.stringify(event)}\n\n`);
  return `${said.join('')}event: done\ndata: [DONE]\n\n`;
}

/** Events of the stream. */
export const start = (index: number, step: object) => ({ event_type: 'step.start', index, step });
export const delta = (index: number, type: string, fields: object) => ({
  ...{ event_type: 'step.delta', index, delta: { type, ...fields } },
});
export const stop = (index: number) => ({ event_type: 'step.stop', index });
/** A step that is signed. */
export const thought = [
  start(0, { type: 'thought', signature: '' }),
  delta(0, 'thought_summary', { content: { type: 'text', text: 'Look first.' } }),
  delta(0, 'thought_signature', { signature: SIGNED }),
  stop(0),
];
/** A call, its arguments in pieces. */
export const callOf = (index: number, id: string, pieces: string[], name = 'click') => [
  start(index, { type: 'function_call', id, name, arguments: {} }),
  ...pieces.map((piece) => delta(index, 'arguments_delta', { arguments: piece })),
  stop(index),
];

/** A model that drives browsers, at the emulator. */
export interface BrowserModel {
  on: TestUpstream;
  /** Where it was asked, in turn. */
  paths(): Promise<string[]>;
  lastBody(): Promise<Record<string, unknown>>;
  ask(
    request?: GenerateRequest,
    received?: Received,
    upstream?: Upstream,
    signal?: AbortSignal,
  ): Promise<GenerateResult>;
  /** Has the process learn that it is served at the Interactions API. */
  teach(): Promise<void>;
  /** Has it answer with a stream of the Interactions API. */
  answer(events: object[]): Promise<{ received: Received; result: GenerateResult }>;
  /** Begins anew, with a process that knows nothing. */
  reset(): Promise<void>;
}

/** Starts it. */
export async function openBrowserModel(): Promise<BrowserModel> {
  const on = await openTestUpstream('gemini');
  let upstream = on.upstream;
  const model: BrowserModel = {
    on,
    paths: async () => (await on.control.requests()).map(({ path }) => path),
    lastBody: async () => (await on.control.requests()).at(-1)?.body as Record<string, unknown>,
    ask: (request = browsing(), received = nothingReceived(), at = upstream, signal) =>
      listen(at, request, received, signal),
    async teach() {
      await on.control.scenario('only-interactions', { times: 2 });
      await model.ask();
      await on.reset();
    },
    async answer(events) {
      await model.teach();
      await on.control.scenario('verbatim', { params: { bytes: bytesOf(events) } });
      const received = nothingReceived();
      return { received, result: await model.ask(browsing(), received) };
    },
    async reset() {
      await on.reset();
      upstream = on.open();
    },
  };
  return model;
}
