import fc from 'fast-check';
import type { SendOptions } from '#contract/message/quotes.ts';
import type { EmulatorControl } from '../emulator-control.ts';
import type { StoredFile } from './files.ts';
import { geminiBytes, searched } from './gemini-bytes.ts';
import { openaiBytes } from './openai-bytes.ts';

interface MixedModel {
  /** Of the catalogue. */
  id: string;
  dialect: 'gemini' | 'openai-compatible';
  /** The upstream model of its first route. */
  upstream: string;
  reads: readonly ('images' | 'files')[];
  efforts: readonly string[];
}

const ALL = { reads: ['images', 'files'], efforts: ['low', 'medium', 'high'] } as const;

/** Models on both wires, at least two of each, so that a conversation changes its model on one wire and between them. */
const MIXED_MODELS: readonly MixedModel[] = [
  { ...ALL, id: 'parley-pro', dialect: 'gemini', upstream: 'gemini-4-argon' },
  { ...ALL, id: 'parley-flash', dialect: 'gemini', upstream: 'gemini-3.8-flash' },
  { ...ALL, id: 'gemini-2.5-flash-lite', dialect: 'gemini', upstream: 'gemini-2.5-flash-lite', efforts: [] },
  { ...ALL, id: 'gemini-2.5-flash', dialect: 'openai-compatible', upstream: 'qwen-plus' },
  {
    id: 'gemini-2.5-pro',
    dialect: 'openai-compatible',
    upstream: 'deepseek-chat',
    reads: [],
    efforts: ['high'],
  },
];

/** `MODELS_FILE` that puts those of OpenAI's wire at `baseUrl`; Gemini's are where they are without it. */
export function mixedRoutes(baseUrl: string): object {
  const others = MIXED_MODELS.filter(({ dialect }) => dialect !== 'gemini');
  return Object.fromEntries(
    others.map(({ id, upstream, ...route }) => [
      id,
      [{ ...route, model: upstream, baseUrl, keyVariable: 'OTHER_KEY' }],
    ]),
  );
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((some) => `x${some}`);

/** A piece of an answer, for either wire. */
type Piece =
  | { kind: 'text' | 'signed' | 'thought' | 'code' | 'output'; text: string }
  /** What no reader is shown: Gemini's own word for a tool of its own. */
  | { kind: 'unseen' };
const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({ kind: fc.constantFrom('text', 'signed', 'thought', 'code', 'output'), text }),
  fc.constant({ kind: 'unseen' as const }),
);

const SOME = Buffer.from('some bytes');
/** Files as they stand when they were read: what is stored, and what a model that sees them is given. */
const file = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .nat({ max: 12_000 })
      .map((tokens): StoredFile => ({ name: 'a.csv', text: `a,${tokens}`, tokens })),
  },
  fc
    .constantFrom('image/png', 'image/heic')
    .map((type): StoredFile => ({ name: 'a', type, data: SOME, tokens: 1_120 })),
  fc.integer({ min: 1, max: 20 }).map(
    (pages): StoredFile => ({
      name: 'a.pdf',
      type: 'application/pdf',
      data: SOME,
      pages,
      tokens: 560 * pages,
    }),
  ),
);

const FINISHES = ['MAX_TOKENS', 'SAFETY', 'OTHER'] as const;
const FAULTS = ['blocked-prompt', 'http-400', 'http-429', 'http-500'] as const;

/** How an answer ends: by its finish, broken off, not begun, stopped at once or in mid-text. */
const end = fc.oneof(
  { weight: 5, arbitrary: fc.constant('STOP' as const) },
  { weight: 4, arbitrary: fc.constantFrom(...FINISHES, 'cut', 'stopped', 'stopped-later', ...FAULTS) },
);

/** What is mostly not asked for. */
function seldom<Value>(...values: Value[]) {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );
}

/** A message and what becomes of it. `shown`: how much more than the quote its user allows; null: nothing is said. */
export const mix = fc.record({
  model: fc.constantFrom(...MIXED_MODELS),
  files: fc.array(fc.tuple(file, fc.boolean()), { maxLength: 2 }),
  search: seldom('off' as const, 'auto' as const, 'always' as const),
  code: seldom(false, true),
  effort: seldom('low' as const, 'high' as const),
  pieces: fc.array(piece, { maxLength: 5 }),
  searches: fc.nat({ max: 8 }),
  end,
  shown: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(null, 0, 100) },
    { weight: 1, arbitrary: fc.constant(-1) },
  ),
});
export type Mix = typeof mix extends fc.Arbitrary<infer One> ? One : never;

/** Undefined where none was said. */
export function optionsOf({ search, code, effort }: Mix): SendOptions | undefined {
  const said = { ...(search && { search }), ...(code !== undefined && { code }), ...(effort && { effort }) };
  return Object.keys(said).length > 0 ? said : undefined;
}

export function isSearching({ search }: Mix): boolean {
  return search === 'auto' || search === 'always';
}

/** The code of the refusal that is due for what the model does not have; null: none. */
export function refusalOf(one: Mix, files: readonly StoredFile[]): string | null {
  const { model, code, effort } = one;
  const isGemini = model.dialect === 'gemini';
  if ((!isGemini && (isSearching(one) || code)) || (effort && !model.efforts.includes(effort)))
    return 'invalid_request';
  const isRead = ({ type = 'text/plain' }: StoredFile) =>
    type === 'text/plain' ||
    (type === 'application/pdf'
      ? model.reads.includes('files')
      : model.reads.includes('images') && (isGemini || type !== 'image/heic'));
  return files.every(isRead) ? null : 'model_reads_no_files';
}

/**
 * The pieces as Gemini writes them, signed by the model that is asked: JSON texts. What is kept of them is not written as
 * `JSON.stringify` would write what was read.
 */
export function geminiParts({ model, pieces }: Mix): string[] {
  const signature = `"thoughtSignature" : "sig/${model.upstream}/\\u0031"`;
  return pieces.map((one) => {
    if (one.kind === 'unseen')
      return `{ "toolCall":{"id":"1","args":{"n":12345678901234567890,"b":1.0, "2":0,"1":0}}, ${signature} }`;
    const said = JSON.stringify(one.text);
    if (one.kind === 'code') return `{"executableCode":{"language":"PYTHON", "code":${said}},${signature}}`;
    if (one.kind === 'output')
      return `{"codeExecutionResult" : {"outcome":"OUTCOME_FAILED","output":${said}}}`;
    if (one.kind === 'signed') return `{${signature},"text":${said}}`;
    return one.kind === 'thought' ? `{"text":${said},"thought":true}` : `{"text":${said}}`;
  });
}

/** The same on OpenAI's wire, where code is a call of a function that was never offered. */
function openaiDeltas({ pieces }: Mix): object[] {
  return pieces.map((one, index) => {
    if (one.kind === 'unseen') return {};
    if (one.kind === 'thought') return { reasoning_content: one.text };
    if (one.kind !== 'code') return { content: one.text };
    const call = { name: 'run', arguments: JSON.stringify({ code: one.text }) };
    return { tool_calls: [{ index, id: `c${index}`, type: 'function', function: call }] };
  });
}

const OPENAI_FINISH: Readonly<Record<string, string>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  OTHER: 'insufficient_system_resource',
};

/** Has an emulator answer the next message so. */
export async function play(control: EmulatorControl, one: Mix): Promise<void> {
  const fault = FAULTS.find((name) => name === one.end);
  if (one.end !== 'stopped') await control.pace({ ttftMs: 2, gapMs: 2, jitter: 0 });
  if (one.end.startsWith('stopped')) return control.scenario('never-ends');
  if (fault) return control.scenario(fault, { params: { retryMs: 1 }, times: null });
  const ran = isSearching(one) ? searched(one.searches) : {};
  const bytes =
    one.model.dialect === 'gemini'
      ? geminiBytes([geminiParts(one), []], {
          ...ran,
          finishReason: one.end === 'cut' ? undefined : one.end,
        })
      : openaiBytes(openaiDeltas(one), OPENAI_FINISH[one.end]);
  await control.scenario('verbatim', { params: { bytes }, times: null });
}

/** What a reader gets of the answer, and every other model after that. */
export function toldTexts({ model, pieces }: Mix): string[] {
  const isTold = ({ kind }: Piece) =>
    kind !== 'unseen' && kind !== 'thought' && (kind !== 'code' || model.dialect === 'gemini');
  return pieces.filter(isTold).map((one) => ('text' in one ? one.text : ''));
}

/** How the message ends: only what says something is an answer. */
export function statusOf(one: Mix): 'completed' | 'failed' | 'stopped' {
  if (one.end.startsWith('stopped')) return 'stopped';
  const isWhole = one.end === 'STOP' || one.end === 'MAX_TOKENS';
  return isWhole && toldTexts(one).length > 0 ? 'completed' : 'failed';
}
