import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, callApi } from './api.ts';

let server: Server | undefined;

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error,
  );
}

test('sends JSON and gives back the parsed answer', async () => {
  const url = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      response.end(JSON.stringify({ method: request.method, type: request.headers['content-type'], body }));
    });
  });
  const answer = await callApi(url, { method: 'POST', body: { content: '你好' } });
  expect(answer).toEqual({ method: 'POST', type: 'application/json', body: '{"content":"你好"}' });
});

test('an empty answer is undefined', async () => {
  const url = await serve((_, response) => response.writeHead(204).end());
  expect(await callApi(url)).toBeUndefined();
});

test("an error carries the server's code, params and status", async () => {
  const url = await serve((_, response) => {
    response.writeHead(402);
    response.end(
      JSON.stringify({
        error: { code: 'insufficient_credits', message: '…', params: { needed: 15, balance: 3 } },
      }),
    );
  });
  const error = await failure(callApi(url));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    code: 'insufficient_credits',
    params: { needed: 15, balance: 3 },
    status: 402,
  });
});

test("a proxy's page is not mistaken for our answer", async () => {
  const url = await serve((_, response) => response.writeHead(502).end('<html>Bad gateway</html>'));
  expect(await failure(callApi(url))).toMatchObject({ code: 'unavailable', status: 502 });
});

test('no answer is the code network', async () => {
  const url = await serve((request) => request.socket.destroy());
  expect(await failure(callApi(url))).toMatchObject({ code: 'network', status: null });
});

test('a broken body is the code network', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"half":');
    response.socket?.destroySoon();
  });
  expect(await failure(callApi(url))).toMatchObject({ code: 'network' });
});

test('an aborted call throws the reason of its signal', async () => {
  const controller = new AbortController();
  const url = await serve(() => controller.abort());
  expect(await failure(callApi(url, { signal: controller.signal }))).toMatchObject({ name: 'AbortError' });
});

test('what was asked for early is waited for no longer than anything else', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const path = '/api/me';
  vi.stubGlobal('window', { earlyAnswers: { [path]: new Promise(() => {}) } });
  const signal = AbortSignal.timeout(20);
  expect(await failure(callApi(path, { signal }))).toMatchObject({ name: 'TimeoutError' });
  vi.stubGlobal('window', { earlyAnswers: { [path]: new Promise(() => {}) } });
  vi.stubGlobal('AbortSignal', {
    ...AbortSignal,
    any: AbortSignal.any.bind(AbortSignal),
    timeout: () => signal,
  });
  expect(await failure(callApi(path))).toMatchObject({ code: 'network' });
});

test('what was asked for early is the answer, once', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const url = await serve((_, response) => response.end('{"from":"server"}'));
  vi.stubGlobal('window', { earlyAnswers: { [url]: Promise.resolve(new Response('{"from":"head"}')) } });
  expect(await callApi(url)).toEqual({ from: 'head' });
  expect(await callApi(url)).toEqual({ from: 'server' });
});
