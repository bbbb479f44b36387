import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sseFormat } from '#emulators/gemini/gemini-stream.ts';
import { interactionsFormat } from '#emulators/gemini/interactions-stream.ts';
import { chunkFormat } from '#emulators/openai/openai-stream.ts';
import type { StreamFormat } from '#emulators/play-script.ts';
import type { Step } from '#emulators/script.ts';
import { modelsFileSchema, type UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import { runs } from '#test/runs.ts';
import { readGeminiEvent } from '../dialects/gemini-events.ts';
import { InteractionReader } from '../dialects/interactions-events.ts';
import { CallsReader } from '../dialects/openai-calls.ts';
import { readOpenaiEvent } from '../dialects/openai-events.ts';
import { AnswerReader } from './answer-reader.ts';
import { CallDeadline } from './call-deadline.ts';
import { createSseReader } from './sse-reader.ts';

const LIMITS = { connectMs: 1_000, firstTokenMs: 1_000, idleMs: 1_000, totalMs: 1_000 };
const [OPENAI] =
  modelsFileSchema.parse({
    m: [{ dialect: 'openai-compatible', model: 'm', baseUrl: 'http://localhost' }],
  }).m ?? [];
const ROUTE = { ...OPENAI, baseUrl: '', apiKey: null, missingSetting: null, prices: [] };

interface Reading {
  text: string;
  reasoning: string;
  order: string[];
  finish: string;
  tokens: number | undefined;
}

/** Begins to read an answer; what it gives reads the next event. */
type BeginReading = (answer: AnswerReader) => (data: string) => unknown;

function readWith(begin: BeginReading, chunks: Buffer[]): Reading {
  const reading: Reading = { text: '', reasoning: '', order: [], finish: '', tokens: undefined };
  const deadline = new CallDeadline(LIMITS, new AbortController().signal);
  const sink = {
    onText(text: string) {
      reading.text += text;
      reading.order.push('text');
    },
    onReasoning(text: string) {
      reading.reasoning += text;
      reading.order.push('reasoning');
    },
    onPart() {},
    onFirst() {},
  };
  const answer = new AnswerReader({ dialect: 'gemini', model: 'm' }, sink, deadline);
  const readChunk = createSseReader(begin(answer));
  try {
    for (const chunk of chunks) {
      readChunk(chunk);
      answer.flush();
    }
    reading.finish = answer.conclude().finishReason;
  } finally {
    deadline.release();
  }
  reading.tokens = answer.metadata().usage?.outputTokens;
  return reading;
}

const HEAD = { modelVersion: 'm', model: 'm', promptTokens: 3, responseId: 'r' };

const DIALECTS: [string, () => StreamFormat, BeginReading][] = [
  ['Gemini', () => sseFormat(HEAD), (answer) => (data) => readGeminiEvent(data, answer)],
  [
    'Interactions',
    () => interactionsFormat(HEAD),
    (answer) => {
      const reader = new InteractionReader(answer);
      return (data) => reader.read(data);
    },
  ],
  [
    'OpenAI',
    () =>
      chunkFormat({
        id: 'c',
        model: 'm',
        created: 1,
        promptTokens: 3,
        includesUsage: true,
        reasoningField: 'reasoning',
      }),
    (answer) => (data) =>
      readOpenaiEvent(data, answer, { route: ROUTE as UpstreamRoute, calls: new CallsReader(0) }),
  ],
];

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('你好', '👩‍🚀', '\u2028', '\\', '"', '\r\n'),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  text.map((said): Step => ({ kind: 'text', text: said, tokens: 1 })),
  text.map((said): Step => ({ kind: 'reasoning', text: said, tokens: 1 })),
  fc.constant<Step>({ kind: 'raw', bytes: ': comment\r\n\r\n' }),
);

describe.each(DIALECTS)('an answer in the %s dialect', (_name, open, begin) => {
  test('is the same however its bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.array(fc.nat(), { maxLength: 60 }), (steps, cuts) => {
        const format = open();
        const all: Step[] = [
          ...steps,
          { kind: 'text', text: '完', tokens: 1 },
          { kind: 'finish', finish: { reason: 'stop' } },
        ];
        const bytes = Buffer.from(all.map((each) => format.encode(each)).join('') + format.ending);
        const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const reading = readWith(begin, chunks);
        const said = (kind: string) =>
          all.map((each) => (each.kind === kind && 'text' in each ? each.text : '')).join('');
        expect(reading.text).toBe(said('text'));
        expect(reading.reasoning).toBe(said('reasoning'));
        expect(reading.finish).toBe('stop');
        expect(reading.tokens).toBe(all.filter(({ kind }) => kind === 'text' || kind === 'reasoning').length);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('hands over one text for one packet, whatever it holds', () => {
    const format = open();
    const steps: Step[] = Array.from({ length: 50 }, () => ({ kind: 'text', text: '好', tokens: 1 }));
    const all: Step[] = [...steps, { kind: 'finish', finish: { reason: 'stop' } }];
    const reading = readWith(begin, [Buffer.from(all.map((each) => format.encode(each)).join(''))]);
    expect(reading.order).toEqual(['text']);
    expect(reading.text).toBe('好'.repeat(50));
  });

  test.each([
    'null',
    '1',
    '"text"',
    '[]',
    '{}',
    '{"candidates":null,"choices":null}',
    '{"candidates":[null],"choices":[null]}',
    '{"candidates":"x","choices":"x"}',
    '{"candidates":[{"content":{"parts":[null,{"text":5}]}}],"choices":[{"delta":{"content":5}}]}',
    '{"candidates":[{"content":5}],"choices":[{"delta":5}]}',
    '{"usageMetadata":5,"usage":5,"promptFeedback":null,"modelVersion":7,"model":7}',
    '{"event_type":"step.start","index":0,"step":5}',
    '{"event_type":"step.start","step":{"type":"model_output","content":[null,{"type":"text","text":5}],"summary":5}}',
    '{"event_type":"step.delta","index":9,"delta":{"type":"arguments_delta","arguments":{}}}',
    '{"event_type":"interaction.completed","interaction":null}',
    '{"event_type":"interaction.completed","interaction":{"status":"completed","usage":5,"model":7}}',
    '{"event_type":"error","error":5}',
  ])('that is only %s fails as an error of the model client', (json) => {
    const read = () => readWith(begin, [Buffer.from(`data: ${json}\n\n`)]);
    expect(read).toThrow(expect.objectContaining({ name: 'UpstreamError' }));
  });
});

function openAnswer(deadline = new CallDeadline(LIMITS, new AbortController().signal)): AnswerReader {
  const sink = { onText() {}, onReasoning() {}, onPart() {}, onFirst() {} };
  return new AnswerReader({ dialect: 'gemini', model: 'm' }, sink, deadline);
}

test('an answer that goes on after its finish has as long for the next piece as any', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const deadline = new CallDeadline(
    { ...LIMITS, idleMs: 60_000, totalMs: 600_000 },
    new AbortController().signal,
  );
  const ends: unknown[] = [];
  deadline.attach((error) => ends.push(error));
  const answer = openAnswer(deadline);
  answer.addText('one');
  answer.setFinish('stop', 'STOP');
  answer.addText('two');
  vi.advanceTimersByTime(30_000);
  expect(ends).toEqual([]);
  answer.setFinish('length', 'MAX_TOKENS');
  vi.advanceTimersByTime(2_000);
  expect(ends).toEqual([null]);
  expect(answer.finish).toEqual({ kind: 'stop', vendor: 'STOP' });
  deadline.release();
});

test('a finish that quotes the question is not named in the error', () => {
  const answer = openAnswer();
  answer.addText('Here');
  answer.setFinish('other', 'error: the question “my secret” was too much');
  expect(() => answer.conclude()).toThrow(
    expect.objectContaining({ message: 'the model gave up (unknown)', vendorCode: 'unknown' }),
  );
});

test('a version is named in 200 characters, and not at all where it shows nothing', () => {
  const answer = openAnswer();
  answer.modelVersion = `m\n${'-preview'.repeat(10_000)}`;
  expect(answer.metadata().modelVersion).toBe(`m ${'-preview'.repeat(25)}`.slice(0, 200));
  answer.modelVersion = '\u200b\r\n';
  expect(answer.metadata().modelVersion).toBeNull();
});

test('an answer begins with the first piece of a call, and none after the finish opens it again', () => {
  const deadline = new CallDeadline(LIMITS, new AbortController().signal);
  const sink = { onText() {}, onReasoning() {}, onPart() {}, onFirst: vi.fn() };
  const answer = new AnswerReader({ dialect: 'openai-compatible', model: 'm' }, sink, deadline);
  const calls = new CallsReader(1);
  const read = (delta: object, finish: string | null = null) =>
    readOpenaiEvent(JSON.stringify({ choices: [{ delta, finish_reason: finish }] }), answer, {
      route: ROUTE as UpstreamRoute,
      calls,
    });
  read({ role: 'assistant', content: null, tool_calls: [] });
  expect(answer.started).toBe(false);
  const piece = (args: string) => [{ index: 0, id: 'c', function: { name: 'fly', arguments: args } }];
  read({ content: null, tool_calls: piece('{"to":') });
  read({ tool_calls: piece('1}') });
  expect([answer.started, sink.onFirst.mock.calls.length]).toEqual([true, 1]);
  read({}, 'tool_calls');
  read({ tool_calls: [] });
  expect(answer.isComplete).toBe(true);
  deadline.release();
});
