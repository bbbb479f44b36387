import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { startPayments } from '#test/billing/payment-emulator.ts';
import { postWebhook } from '#test/billing/signed-webhook.ts';
import { draft, waitForEnd } from '#test/chat/chat.ts';
import { geminiBytes } from '#test/chat/gemini-bytes.ts';
import { startScript } from '#test/child-program.ts';
import { type CollectedSpan, type Collector, startCollector } from '#test/collector.ts';
import { IS_LONG } from '#test/runs.ts';
import { createLog } from './platform/log.ts';

const MODEL = 'gemini-2.5-flash-lite';
const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

/** A model provider that answers when the test says so. */
async function startProvider() {
  let answer: (response: ServerResponse) => void = streamAnswer;
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(next: typeof answer) {
      answer = next;
    },
    close: () => server.close(),
  };
}

function streamAnswer(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(geminiBytes([['{"text":"Paris."}']]));
}

function refuseKey(response: ServerResponse) {
  response.writeHead(403, { 'content-type': 'application/json' });
  response.end('{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}');
}

let app: TestApp;
let collector: Collector;
let provider: Awaited<ReturnType<typeof startProvider>>;
let creem: Awaited<ReturnType<typeof startPayments>>;
const written: string[] = [];
beforeAll(async () => {
  [collector, provider, creem] = await Promise.all([
    startCollector(),
    startProvider(),
    startPayments('creem'),
  ]);
  app = await createTestApp({
    log: createLog('debug', { write: (line) => written.push(line) }),
    env: { ...collector.settings, ...creem.env, GEMINI_BASE_URL: provider.url },
  });
});
afterAll(async () => {
  await app.close();
  provider.close();
  await Promise.all([collector.close(), creem.close()]);
});

/** All spans of the trace that a request began, once there are as many. */
async function traceOf(response: Response, count: number): Promise<CollectedSpan[]> {
  const id = response.headers.get('x-request-id');
  const find = () => {
    const spans = collector.spans();
    const root = spans.find(({ attributes }) => attributes['parley.request.id'] === id);
    return spans.filter(({ traceId }) => traceId === root?.traceId);
  };
  await expect.poll(() => find().length).toBe(count);
  return find();
}

const named = (spans: CollectedSpan[], name: string) => spans.find((span) => span.name === name);
const linesOf = (response: Response) =>
  written
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ requestId }) => requestId === response.headers.get('x-request-id'));

async function send(content = 'What is the capital of France?') {
  const user = await app.signedIn();
  const sent = draft({ model: MODEL, content });
  const response = await user.post('/api/messages', sent);
  expect(response.status).toBe(201);
  return { user, response, id: sent.id };
}

describe('a send is one trace:', () => {
  it('its request, its transaction and the call of the model, which goes on after the request', async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    provider.answer(asked.resolve);
    const { user, response, id } = await send();
    streamAnswer(await asked.promise);
    await waitForEnd(user, id);
    const spans = await traceOf(response, 3);
    const request = named(spans, 'POST /api/messages');
    expect(request).toMatchObject({ kind: SERVER, status: { code: 0 } });
    expect(request).not.toHaveProperty('parentSpanId');
    expect(request?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/messages',
      'http.response.status_code': 201,
      'parley.request.id': response.headers.get('x-request-id'),
      'parley.message.id': id,
    });
    const transaction = named(spans, 'send transaction');
    expect(transaction).toMatchObject({ kind: CLIENT, parentSpanId: request?.spanId });
    expect(transaction?.attributes).toEqual({ 'db.system.name': 'postgresql', 'parley.outcome': 'sent' });
    const call = named(spans, `chat ${MODEL}`);
    expect(call).toMatchObject({
      kind: CLIENT,
      parentSpanId: request?.spanId,
      status: { code: 0 },
      events: ['first_token'],
    });
    expect(call?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': MODEL,
      'gen_ai.provider.name': 'gemini',
      'parley.outcome': 'ok',
    });
    expect(BigInt(call?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(request?.endTimeUnixNano ?? 0));
  });

  it('the same by an API key', async () => {
    provider.answer(streamAnswer);
    const user = await app.signedIn();
    const { key } = await makeKey(user);
    const response = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(response.status).toBe(200);
    const spans = await traceOf(response, 3);
    const request = named(spans, 'POST /v1/chat/completions');
    for (const name of ['send transaction', `chat ${MODEL}`])
      expect(named(spans, name)?.parentSpanId).toBe(request?.spanId);
  });

  it('a call that fails is marked by its kind, and the lines of the log name the trace', async () => {
    provider.answer(refuseKey);
    const { user, response, id } = await send();
    await waitForEnd(user, id);
    const spans = await traceOf(response, 3);
    const call = named(spans, `chat ${MODEL}`);
    expect(call).toMatchObject({ status: { code: ERROR }, events: [] });
    expect(call?.status).not.toHaveProperty('message');
    expect(call?.attributes).toMatchObject({ 'error.type': 'auth', 'parley.outcome': 'auth' });
    expect(named(spans, 'POST /api/messages')?.status).toEqual({ code: 0 });
    const lines = linesOf(response);
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['request', 'model call failed']));
    for (const line of lines) expect([line.msg, line.trace_id]).toEqual([line.msg, call?.traceId]);
  });

  it('one that a user stops is no failure', async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    provider.answer(asked.resolve);
    const { user, response, id } = await send();
    await asked.promise;
    await user.post(`/api/messages/${id}/stop`);
    await waitForEnd(user, id);
    const call = named(await traceOf(response, 3), `chat ${MODEL}`);
    expect(call?.attributes).toMatchObject({ 'parley.outcome': 'aborted' });
    expect(call?.status).toEqual({ code: 0 });
  });
});

it('a request that fails by a fault of the server is marked, one that the caller spoilt is not', async () => {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  await sql`alter table users rename column photo_url to away`;
  const failed = await user.get('/api/me');
  await sql`alter table users rename column away to photo_url`;
  const [fault] = await traceOf(failed, 1);
  expect(fault).toMatchObject({ name: 'GET /api/me', status: { code: ERROR } });
  expect(fault?.attributes).toMatchObject({ 'error.type': '42703', 'http.response.status_code': 500 });
  const [refused] = await traceOf(await user.post('/api/messages', {}), 1);
  expect(refused).toMatchObject({ name: 'POST /api/messages', status: { code: 0 } });
});

it('a webhook is a trace when it is read, marked where that fails', async () => {
  const event = (id: string) => JSON.stringify({ id, eventType: 'nothing.known', object: {} });
  const { sql } = app.database.database;
  const reads = () => collector.spans().filter(({ name }) => name === 'job inbox of creem');
  expect(await postWebhook(app.url, 'creem', event('evt_trace_1'))).toBe(200);
  await expect.poll(() => reads().length).toBe(1);
  expect(reads()[0]?.status).toEqual({ code: 0 });
  await sql`alter table billing.inbox rename column content_digest to away`;
  await postWebhook(app.url, 'creem', event('evt_trace_2'));
  await expect.poll(() => reads().length).toBeGreaterThan(1);
  await sql`alter table billing.inbox rename column away to content_digest`;
  expect(reads()[1]).toMatchObject({ status: { code: ERROR }, attributes: { 'error.type': '42703' } });
  expect(reads()[1]).not.toHaveProperty('parentSpanId');
});

describe('a traceparent', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';
  const PARENT = 'b7ad6b7169203331';
  const ask = (url: string, flags: string) =>
    fetch(`${url}/healthz`, { headers: { traceparent: `00-${TRACE}-${PARENT}-${flags}` } });

  it('of a stranger names and chooses nothing', async () => {
    for (const flags of ['00', '01']) {
      const [span] = await traceOf(await ask(app.url, flags), 1);
      expect(span?.traceId).not.toBe(TRACE);
      expect(span).not.toHaveProperty('parentSpanId');
    }
  });

  it('is followed where the operator says that a proxy writes it', async () => {
    const env = { ...collector.settings, OTEL_PROPAGATORS: 'tracecontext' };
    const behind = await createTestApp({ beside: app, env });
    await ask(behind.url, '00');
    const [span] = await traceOf(await ask(behind.url, '01'), 1);
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    await behind.close();
  });
});

it.runIf(IS_LONG)(
  'a collector that never answers delays no request, and the stop of the server by two seconds at most',
  async () => {
    const silent = await startCollector();
    silent.answer(() => {});
    const other = await createTestApp({ beside: app, env: silent.settings });
    for (let n = 0; n < 20; n += 1) expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
    await expect.poll(() => silent.requests.length).toBeGreaterThan(0);
    await other.close();
    // An export gives up after ten seconds: the stop did not wait for it.
    expect(silent.open()).toBeGreaterThan(0);
    await silent.close();
  },
);

it.runIf(IS_LONG)('no SDK of OpenTelemetry is loaded where traces are off', async () => {
  // prom-client loads the package `api` in any case.
  const program = startScript(`
    import { createRequire } from 'node:module';
    import '#server/main.ts';
    import { startTracing } from '#server/platform/telemetry/tracing.ts';
    const { cache } = createRequire(import.meta.url);
    const isLoaded = () => Object.keys(cache).some((path) => /@opentelemetry\\/(?!api\\/)/.test(path));
    const settings = { endpoint: 'http://127.0.0.1:9', headers: {}, serviceName: 'parley', sampler: 'always_off',
      followsParent: true, ratio: 1, readsTraceparent: false, scheduleDelayMs: 5_000 };
    await startTracing(null, console);
    const before = isLoaded();
    await startTracing(settings, console);
    console.log(JSON.stringify([before, isLoaded()]));
    process.exit(0);
  `);
  expect(await program.line((line) => line.startsWith('['))).toBe('[false,true]');
});
