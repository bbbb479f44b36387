import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ScenarioName, ScenarioParams } from '#emulators/scenario.ts';
import {
  asking,
  listen,
  nothingReceived,
  openTestUpstream,
  TEST_KEY,
  type TestUpstream,
  TOO_LATE_MS,
} from '#test/chat/upstream.ts';
import { PATIENT } from '#test/patient.ts';
import { UpstreamError, type UpstreamErrorKind } from './transport/upstream-error.ts';

const DIALECTS = ['gemini', 'openai-compatible'] as const;
const PROMPT = '请讲讲怎么学英语 SECRET-PROMPT-77';

async function failure(answer: Promise<unknown>): Promise<UpstreamError> {
  const error = await answer.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof UpstreamError) return error;
  throw new Error(`no UpstreamError but ${String(error)}`);
}

interface Fault {
  name: ScenarioName;
  params?: ScenarioParams;
  kind: UpstreamErrorKind;
  code: string;
  /** Requests that reach the provider. */
  tries: number;
  /** Whether there is text before it breaks. */
  partial?: boolean;
  alert?: string;
}

const FAULTS: Fault[] = [
  { name: 'http-400', kind: 'fetch', code: 'upstream_failed', tries: 1 },
  { name: 'bad-key', kind: 'auth', code: 'upstream_failed', tries: 1, alert: 'upstream_auth' },
  { name: 'http-401', kind: 'auth', code: 'upstream_failed', tries: 1, alert: 'upstream_auth' },
  { name: 'http-402', kind: 'balance', code: 'upstream_failed', tries: 1, alert: 'upstream_balance' },
  { name: 'http-403', kind: 'auth', code: 'upstream_failed', tries: 1, alert: 'upstream_auth' },
  { name: 'http-404', kind: 'not_found', code: 'upstream_failed', tries: 1, alert: 'upstream_gone' },
  { name: 'http-429', params: { retryMs: 20 }, kind: 'rate', code: 'upstream_failed', tries: 3 },
  { name: 'http-429', params: { retryMs: TOO_LATE_MS }, kind: 'rate', code: 'upstream_failed', tries: 1 },
  { name: 'http-500', kind: 'overloaded', code: 'upstream_failed', tries: 2 },
  { name: 'http-502', kind: 'overloaded', code: 'upstream_failed', tries: 2 },
  { name: 'http-503', kind: 'overloaded', code: 'upstream_failed', tries: 2 },
  { name: 'http-504', kind: 'overloaded', code: 'upstream_failed', tries: 2 },
  { name: 'http-529', kind: 'overloaded', code: 'upstream_failed', tries: 2 },
  { name: 'http', params: { status: 418 }, kind: 'fetch', code: 'upstream_failed', tries: 1 },
  { name: 'drop-connection', kind: 'connect', code: 'upstream_failed', tries: 2 },
  { name: 'blocked-prompt', kind: 'blocked', code: 'upstream_blocked', tries: 1 },
  { name: 'blocked-answer', kind: 'blocked', code: 'upstream_blocked', tries: 1 },
  { name: 'empty', kind: 'empty', code: 'upstream_empty', tries: 1 },
  { name: 'whitespace', kind: 'empty', code: 'upstream_empty', tries: 1 },
  { name: 'only-reasoning', kind: 'empty', code: 'upstream_empty', tries: 1 },
  { name: 'model-error', kind: 'model_error', code: 'upstream_failed', tries: 1 },
  { name: 'cut-off', kind: 'truncated', code: 'upstream_failed', tries: 1, partial: true },
  { name: 'cut-off', params: { after: 0 }, kind: 'truncated', code: 'upstream_failed', tries: 1 },
  { name: 'no-finish', kind: 'truncated', code: 'upstream_failed', tries: 1, partial: true },
  { name: 'malformed', kind: 'parse', code: 'upstream_failed', tries: 1, partial: true },
  { name: 'mid-stream-error', kind: 'overloaded', code: 'upstream_failed', tries: 1, partial: true },
  { name: 'mid-stream-error', params: { after: 0 }, kind: 'overloaded', code: 'upstream_failed', tries: 2 },
  { name: 'huge-line', kind: 'parse', code: 'upstream_failed', tries: 1, partial: true },
];

describe.each(DIALECTS)('a fault of a provider in the %s dialect', (dialect) => {
  let on: TestUpstream;
  const opening = openTestUpstream(dialect).then((opened) => {
    on = opened;
  });

  beforeEach(async () => {
    await opening;
    await on.reset();
  });
  afterAll(() => on.close());

  test.each(FAULTS)('$name $params is $kind after $tries request(s)', async (fault) => {
    await on.control.scenario(fault.name, { params: fault.params ?? {}, times: null });
    const received = nothingReceived();
    const error = await failure(listen(on.upstream, asking(PROMPT), received));
    expect(error).toMatchObject({ kind: fault.kind, code: fault.code });
    expect(await on.control.requests()).toHaveLength(fault.tries);
    if (fault.partial) expect(received.text).not.toBe('');
    if (fault.partial) expect(error.metadata?.modelVersion).toBe(error.metadata?.upstreamModel);
    expect(on.alerts.map(({ alert }) => alert)).toEqual(fault.alert ? [fault.alert] : []);
    expect(on.logged.join('\n')).not.toContain('SECRET-PROMPT');
    expect(on.logged.join('\n')).not.toContain(TEST_KEY);
    expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('SECRET-PROMPT');
  });

  test.each([
    { name: 'http-429', params: { retryMs: 20 }, times: 2 },
    { name: 'http-429', params: { retryMs: 20 }, times: 1 },
    { name: 'http-500', params: {}, times: 1 },
    { name: 'http-503', params: {}, times: 1 },
    { name: 'drop-connection', params: {}, times: 1 },
  ] as const)('$name $times time(s) is overcome by trying again', async ({ name, params, times }) => {
    await on.control.scenario(name, { params, times });
    const received = nothingReceived();
    await expect(listen(on.upstream, asking(PROMPT), received)).resolves.toMatchObject({
      finishReason: 'stop',
    });
    expect(received.text).toContain('学英语');
    expect(await on.control.requests()).toHaveLength(times + 1);
    expect(on.alerts).toEqual([]);
  });

  test.each([
    ['connect', { connectMs: 100 }, null],
    ['first_token', { firstTokenMs: 150 }, 'no-headers'],
    ['first_token', { firstTokenMs: 150 }, 'slow-first-token'],
    ['first_token', { firstTokenMs: 150 }, 'endless-comments'],
    ['idle', { idleMs: 150 }, 'silent'],
    ['total', { totalMs: 300 }, 'never-ends'],
  ] as const)('a %s time-out ends the call and the request', async (phase, timeouts, scenario) => {
    const deadHost = 'http://192.0.2.1:81';
    const upstream = on.open(scenario ? { timeouts } : { timeouts, baseUrl: deadHost });
    if (scenario) await on.control.scenario(scenario);
    const received = nothingReceived();
    const error = await failure(listen(upstream, asking(PROMPT), received));
    if (phase === 'connect' && error.kind === 'connect') return;
    expect(error).toMatchObject({ kind: 'timeout', code: 'upstream_timeout', phase });
    if (!scenario) return;
    await vi.waitFor(
      async () => expect(await on.control.requests()).toMatchObject([{ aborted: true }]),
      PATIENT,
    );
    if (phase === 'idle' || phase === 'total') expect(received.text).not.toBe('');
  });

  test('an address where nobody listens is connect, after one more try', async () => {
    const upstream = on.open({ baseUrl: 'http://127.0.0.1:9' });
    const error = await failure(listen(upstream, asking(PROMPT), nothingReceived()));
    expect(error).toMatchObject({ kind: 'connect', code: 'upstream_failed', vendorCode: 'ECONNREFUSED' });
    expect(on.logged.filter((line) => line.includes('"kind":"connect"'))).toHaveLength(2);
  });

  test('a daily quota is not waited for', async () => {
    await on.control.scenario('http-429', { params: { daily: true, retryMs: 20 }, times: null });
    const error = await failure(listen(on.upstream, asking(PROMPT), nothingReceived()));
    expect(error.kind).toBe(dialect === 'gemini' ? 'rate' : 'balance');
    expect(await on.control.requests()).toHaveLength(1);
  });

  test('a refusal without a waiting time is tried again after a short one', async () => {
    await on.control.scenario('http-429', { params: { info: false }, times: 1 });
    await listen(on.upstream, asking(PROMPT), nothingReceived());
    expect(await on.control.requests()).toHaveLength(2);
  });

  test('the operator is told what to check, in the specified words', async () => {
    await on.control.scenario('bad-key');
    await failure(listen(on.upstream, asking(PROMPT), nothingReceived()));
    const line = JSON.parse(on.logged.find((each) => each.includes('"alert"')) ?? '{}');
    expect(line).toMatchObject({ level: 50, alert: 'upstream_auth' });
    expect(line.msg).toContain('API 调用失败：请检查 API Key 配置');
    if (dialect === 'gemini') expect(line.msg).toBe('Gemini API 调用失败：请检查 API Key 配置');
  });

  test('a missing key is told apart, without a request', async () => {
    const upstream = on.open({ key: null });
    const error = await failure(listen(upstream, asking(PROMPT), nothingReceived()));
    expect(error).toMatchObject({ kind: 'not_configured' });
    expect(error.vendorCode).toBe(dialect === 'gemini' ? 'GEMINI_API_KEY' : 'TEST_KEY');
    expect(on.alerts).toMatchObject([{ alert: 'upstream_not_configured' }]);
    expect(await on.control.requests()).toEqual([]);
  });

  test.runIf(dialect === 'gemini')('is not a silence in which code may run', async () => {
    await on.control.scenario('sources', { params: { pause: 400 } });
    const upstream = on.open({ timeouts: { idleMs: 100 } });
    const request = { ...asking(PROMPT), tools: { code: true } };
    const result = await listen(upstream, request, nothingReceived());
    expect(result.finishReason).toBe('stop');
  });
});
