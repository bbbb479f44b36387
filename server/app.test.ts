import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '#contract/choices.ts';
import { ERROR_STATUS, type ErrorBody } from '#contract/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { translate } from '#server/platform/translate.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { openEvents } from '#test/events.ts';
import { IS_LONG, inTurn, runs } from '#test/runs.ts';

let app: TestApp;
let user: TestClient;
beforeAll(async () => {
  app = await createTestApp();
  user = await app.signedIn();
});
afterAll(() => app.close());

const JSON_TYPE = { 'content-type': 'application/json' };

/** Every route of the API, with ids that name nothing. */
function routes(): { method: string; path: string }[] {
  const known = app.app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'));
  return known.map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, () => newId()) }));
}
const changes = () => routes().filter(({ method }) => !['GET', 'OPTIONS'].includes(method));

async function errorOf(response: Response) {
  return ((await response.json()) as ErrorBody).error;
}

describe('every route', () => {
  it('is known to these tests', () => {
    expect(routes().length).toBeGreaterThanOrEqual(12);
    expect(changes().length).toBeGreaterThanOrEqual(5);
  });

  it('has the headers of security, whatever it answers', async () => {
    for (const { method, path } of [
      ...routes(),
      { method: 'GET', path: '/api/none' },
      { method: 'GET', path: '/healthz' },
    ]) {
      const response = await app.visit().request(path, { method });
      expect([path, response.headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      const opener = path.startsWith('/api/auth/google/') && method === 'GET' ? 'unsafe-none' : 'same-origin';
      expect([path, response.headers.get('cross-origin-opener-policy')]).toEqual([path, opener]);
      expect(response.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('has them on a stream as well', async () => {
    const { response, close } = await openEvents(user, '/api/live');
    close();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('refuses changes that another site sends', async () => {
    const own = app.config.publicUrl;
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${own}.evil.example` },
      { origin: own.replace('http:', 'https:') },
      { origin: own.replace('localhost', 'sub.localhost') },
      { origin: own, 'sec-fetch-site': 'cross-site' },
      { origin: own, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { referer: 'https://evil.example/page' },
      { referer: 'nonsense' },
    ];
    const client = app.visit({ origin: null, cookie: user.cookie });
    for (const [turn, { method, path }] of changes().entries()) {
      for (const headers of inTurn(foreign, turn % 4, 4)) {
        const response = await client.request(path, {
          method,
          headers: { ...JSON_TYPE, ...headers },
          body: '{}',
        });
        expect([path, headers, response.status]).toEqual([path, headers, 403]);
        expect((await errorOf(response)).code).toBe('cross_site_request');
      }
    }
  });

  it('takes JSON only, uncompressed', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
    ];
    for (const { method, path } of changes()) {
      for (const type of types) {
        const response = await user.request(path, { method, headers: { 'content-type': type }, body: '{}' });
        expect([path, type, response.status]).toEqual([path, type, 415]);
      }
      const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
      expect((await user.request(path, { method, headers, body: '{}' })).status).toBe(415);
    }
  });

  it('survives any JSON, and never answers with a fault of ours', async () => {
    const nasty = fc.oneof(
      fc.constantFrom(
        '{}',
        'null',
        '[]',
        '1',
        '""',
        '{',
        '',
        'NaN',
        '1e999',
        '[[[',
        '{"__proto__":{"a":1}}',
        '\ufeff{}',
      ),
      fc.json({ maxDepth: 3 }),
      fc.nat(3000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
      fc.constant(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
    );
    const one = fc.constantFrom(...changes().filter(({ path }) => !path.endsWith('/sign-out')));
    await fc.assert(
      fc.asyncProperty(one, nasty, async ({ method, path }, body) => {
        const sent = body === '' ? {} : { body };
        const response = await user.request(path, { method, headers: JSON_TYPE, ...sent });
        const code = response.status < 400 ? null : (await errorOf(response)).code;
        if (code !== null) expect(ERROR_STATUS).toHaveProperty(code);
        if (code !== 'not_configured') expect(response.status).toBeLessThan(500);
      }),
      { numRuns: runs(50, 750) },
    );
    expect((await app.visit().get('/healthz')).status).toBe(200);
  });

  it.runIf(IS_LONG)('survives any query', async () => {
    const reads = routes().filter(({ method, path }) => method === 'GET' && !/events$|live$/.test(path));
    const name = fc.constantFrom('cursor', 'limit', 'conversationId', 'before', '__proto__', 'x');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...reads),
        name,
        fc.string({ unit: 'binary' }),
        async ({ path }, key, value) => {
          const response = await user.get(`${path}?${key}=${encodeURIComponent(value.toWellFormed())}`);
          await response.arrayBuffer();
          expect(response.status).toBeLessThan(500);
        },
      ),
      { numRuns: runs(50, 500) },
    );
  });
});

describe('a change without any sign of a browser', () => {
  it('is taken, from our origin under both of its spellings as well', async () => {
    const { port } = new URL(app.url);
    const bare = app.visit({ origin: null, cookie: user.cookie });
    expect((await bare.post(`/api/messages/${newId()}/stop`)).status).toBe(404);
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      const client = app.visit({ origin, cookie: user.cookie, headers: { 'sec-fetch-site': 'same-origin' } });
      expect((await client.post(`/api/messages/${newId()}/stop`)).status).toBe(404);
    }
  });
});

describe('a body that is wrong', () => {
  const send = (body: string) => user.request('/api/messages', { method: 'POST', headers: JSON_TYPE, body });

  it.each([
    ['{"id":', 400, 'invalid_json', undefined],
    ['', 400, 'invalid_json', undefined],
    ['null', 422, 'invalid_request', 'body'],
    ['[]', 422, 'invalid_request', 'body'],
    ['{"id":7}', 422, 'invalid_request', 'id'],
    ['{"__proto__":{"isAdmin":true}}', 422, 'invalid_request', '__proto__'],
    ['{"content":{"deep":{"__proto__":1}}}', 422, 'invalid_request', '__proto__'],
  ])('%s answers %i and names the field', async (body, status, code, field) => {
    const response = await send(body);
    expect(response.status).toBe(status);
    const error = await errorOf(response);
    expect(error.code).toBe(code);
    expect(error.params.field).toBe(field);
  });

  it('with a field too many names it', async () => {
    const whole = {
      id: newId(),
      conversationId: newId(),
      parentId: null,
      model: 'parley-flash',
      content: 'hi',
      cost: 0,
    };
    const error = await errorOf(await send(JSON.stringify(whole)));
    expect(error).toMatchObject({ code: 'invalid_request', params: { field: 'cost' } });
  });

  it('as bytes that are no UTF-8 is no JSON', async () => {
    const body = Buffer.concat([Buffer.from('{"content":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const response = await user.request('/api/messages', { method: 'POST', headers: JSON_TYPE, body });
    expect(response.status).toBe(400);
  });

  it('of 50 MB is refused before it is read', async () => {
    const response = await send('x'.repeat(50_000_000));
    expect(response.status).toBe(413);
    expect(await errorOf(response)).toMatchObject({
      code: 'payload_too_large',
      params: { limit: 1_048_576 },
    });
  });

  it('without an end is refused once it is too large, and its connection closed', async () => {
    // A connection that is closed while its client still sends may be reset before the answer is read.
    const refuse = async () => {
      const { status, sent } = await sendEndless(app.url, user.cookie);
      expect(sent).toBeLessThan(100_000_000);
      return status;
    };
    await expect.poll(refuse).toBe(413);
  });
});

describe('what does not exist', () => {
  it.each([
    '/api',
    '/api/none',
    '/api/me/x',
    '/v1/none',
    '/webhooks/none',
    '/assets/none.js',
    '/favicon.png',
  ])('%s answers 404 as JSON', async (path) => {
    const response = await app.visit().get(path);
    expect(response.status).toBe(404);
    expect((await errorOf(response)).code).toBe('not_found');
  });

  it('as a method answers 405 and says which there are', async () => {
    const response = await user.request('/api/messages', { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, POST');
    expect((await errorOf(response)).code).toBe('method_not_allowed');
  });
});

it('every error code has a text in both languages', () => {
  for (const code of Object.keys(ERROR_STATUS)) {
    for (const language of LANGUAGES) {
      expect(translate(language, `errors.${code}`)).not.toBe(`errors.${code}`);
    }
  }
});

describe('a connection', () => {
  it('that sends no HTTP is told so and closed', async () => {
    expect(await talk(app.url, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    expect(await talk(app.url, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 4/,
    );
  });
});

/** Sends chunks until the server answers. */
function sendEndless(url: string, cookie: string): Promise<{ status: number; sent: number }> {
  return new Promise((resolve) => {
    let sent = 0;
    let isOver = false;
    const request = httpRequest(`${url}/api/messages`, {
      method: 'POST',
      headers: { ...JSON_TYPE, cookie, origin: url },
    });
    const chunk = 'x'.repeat(65_536);
    const pump = () => {
      while (!isOver) {
        sent += chunk.length;
        if (!request.write(chunk)) return request.once('drain', pump);
      }
    };
    request.on('error', () => {
      isOver = true;
      resolve({ status: 0, sent });
    });
    request.on('response', (response) => {
      isOver = true;
      response.resume();
      response.once('close', () => resolve({ status: response.statusCode ?? 0, sent }));
    });
    pump();
  });
}

/** Everything the server says to these bytes, until it closes the connection. */
function talk(url: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', () => {});
  });
}
