import { describe, expect, test } from 'vitest';
import { modelsFileSchema } from '#server/catalogue/upstream-chains.ts';
import { readGeminiError, readGeminiRefusal } from '../dialects/gemini-refusal.ts';
import { readOpenaiRefusal } from '../dialects/openai-refusal.ts';
import { readRetryAfter } from './provider-refusal.ts';

const [parsed] =
  modelsFileSchema.parse({
    m: [{ dialect: 'openai-compatible', model: 'm', baseUrl: 'http://localhost', balanceCodes: ['NoMoney'] }],
  }).m ?? [];
if (!parsed) throw new Error('no route');
const route = { ...parsed, baseUrl: '', apiKey: null, missingSetting: null, prices: [] };

function refusal(status: number, body: unknown, headers = {}) {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

describe('a refusal of an OpenAI-compatible provider', () => {
  test.each([
    [429, { error: { code: 'insufficient_quota' } }, 'balance'],
    [429, { error: { code: '1113', message: '余额不足' } }, 'balance'],
    [429, { error: { code: 1113 } }, 'balance'],
    [429, { error: { code: 'rate_limit_exceeded' } }, 'rate'],
    [400, { code: 'Arrearage', message: 'Access denied' }, 'balance'],
    [400, { error: { code: 'NoMoney' } }, 'balance'],
    [400, { error: { code: 'data_inspection_failed' } }, 'blocked'],
    [400, { error: { message: 'Model Not Exist', type: 'invalid_request_error' } }, 'not_found'],
    [401, 'not json', 'auth'],
    [404, '<html>nothing here</html>', 'not_found'],
    [422, { error: 'plain words' }, 'fetch'],
    [529, '', 'overloaded'],
  ])('%i %o is %s', (status, body, kind) => {
    expect(readOpenaiRefusal(refusal(status, body), route)).toMatchObject({ kind, status });
  });

  test('keeps a code, and drops what could be a sentence', () => {
    expect(readOpenaiRefusal(refusal(400, { error: { code: 'bad_thing' } }), route).vendorCode).toBe(
      'bad_thing',
    );
    expect(
      readOpenaiRefusal(refusal(400, { error: { code: 'your prompt was: hello' } }), route).vendorCode,
    ).toBeNull();
  });
});

describe('a refusal of the Gemini API', () => {
  test('is read from a list of one as well', () => {
    const body = [{ error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } }];
    expect(readGeminiRefusal(refusal(503, body))).toMatchObject({
      kind: 'overloaded',
      vendorCode: 'UNAVAILABLE',
    });
  });

  test.each(['', '<html>', '{}', '[]', 'null', '{"error":null}', '{"error":{"details":[null,5]}}'])(
    'with the body %j is told by its status',
    (body) => {
      expect(readGeminiRefusal(refusal(502, body)).kind).toBe('overloaded');
    },
  );

  test('inside a stream is told by its word when it has no number', () => {
    expect(readGeminiError({ status: 'RESOURCE_EXHAUSTED' }, null)).toMatchObject({
      kind: 'rate',
      status: 429,
    });
    expect(readGeminiError({}, null).kind).toBe('overloaded');
  });
});

describe('the waiting time of a refusal', () => {
  const now = Date.parse('2026-11-21T00:00:00Z');

  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 00:00:05 GMT' }, 5_000],
    [{ 'retry-after': 'Sat, 21 Nov 2020 00:00:05 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('%o is %s', (headers, expected) => {
    expect(readRetryAfter({ headers }, now)).toBe(expected);
  });
});
