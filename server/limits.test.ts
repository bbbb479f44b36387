import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { changingRoutes } from '#test/routes/routes.ts';
import { IS_LONG } from '#test/runs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const beside = (env: Record<string, string>) => createTestApp({ beside: app, env });
const from = (server: TestApp, forwardedFor: string) =>
  server.visit({ headers: { 'x-forwarded-for': forwardedFor } });
const guess = (client: TestClient, path = '/api/auth/sign-in/email') =>
  client.post(path, { email: 'nobody@example.test', password: 'guess' });
const statusesOf = async (attempts: (() => Promise<Response>)[]) => {
  const statuses: number[] = [];
  for (const attempt of attempts) statuses.push((await attempt()).status);
  return statuses;
};

describe('the limit of requests', () => {
  const paths = ['/api/catalogue', '/api/none', '/v1/models', '/v1/none', '/webhooks/creem', '/readyz'];
  const ask = (client: TestClient, path: string) =>
    path.startsWith('/webhooks') ? client.post(path, {}) : client.get(path);

  it.each(paths)('holds for a network at %s, and says when to come again', async (path) => {
    const limited = await beside({ REQUEST_LIMIT: '3', TRUST_PROXY: '1' });
    const statuses = await statusesOf(
      Array.from({ length: 5 }, () => () => ask(from(limited, '203.0.113.1'), path)),
    );
    expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true, true]);
    const refused = await ask(from(limited, '203.0.113.1'), path);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(10);
    expect(JSON.stringify(await refused.json())).toMatch(/"code":"rate_limit(ed|_exceeded)"/);
    expect((await ask(from(limited, '203.0.113.2'), path)).status).not.toBe(429);
    await limited.close();
  });

  it('is a user’s own for reads too, from wherever', async () => {
    const limited = await beside({ REQUEST_LIMIT: '2', TRUST_PROXY: '1' });
    const user = await limited.signedIn();
    const elsewhere = limited.visit({ cookie: user.cookie, headers: { 'x-forwarded-for': '198.51.100.3' } });
    const read = (client: TestClient) => client.get('/api/me');
    expect(await statusesOf([user, elsewhere, user, elsewhere].map((client) => () => read(client)))).toEqual([
      200, 200, 429, 429,
    ]);
    expect((await read(await limited.signedIn())).status).toBe(200);
    await limited.close();
  });

  it.runIf(IS_LONG)('lets the webhooks of 1,000 renewals pass at once where users are', async () => {
    const env = { PUBLIC_URL: 'https://parley.example', AUTH_SECRET: 'x'.repeat(32), TRUST_PROXY: '1' };
    const limited = await createTestApp({ beside: app, env: { ...env, EMULATORS: 'off' } });
    const provider = from(limited, '203.0.113.9');
    const seen = new Set<number>();
    for (let sent = 0; sent < 1_000; sent += 100) {
      const some = Array.from({ length: 100 }, () => provider.post('/webhooks/creem', {}));
      for (const { status } of await Promise.all(some)) seen.add(status);
    }
    expect([...seen]).toEqual([503]);
    expect(limited.config.limits.requestsPerMinute).toBeGreaterThanOrEqual(5_000);
    await limited.close();
  });
});

describe('the limit of changes', () => {
  it('holds for every route that changes something, also for one that says nothing of limits', async () => {
    const limited = await beside({ CHANGE_LIMIT: '1', TRUST_PROXY: '1' });
    const routes = changingRoutes(limited.app);
    expect(routes.length).toBeGreaterThan(15);
    for (const [n, { method, pattern, contentType, path }] of routes.entries()) {
      const client = from(limited, `203.0.113.${n}`);
      const change = () =>
        client.request(path(), { method, body: '{}', headers: { 'content-type': contentType } });
      expect([pattern, (await change()).status]).not.toEqual([pattern, 429]);
      const refused = await change();
      expect([pattern, refused.status]).toEqual([pattern, 429]);
      expect(((await refused.json()) as ErrorBody).error.code).toBe('rate_limited');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20);
    }
    await limited.close();
  });

  it('is a user’s own, from wherever and over all sessions; reading is free', async () => {
    const limited = await beside({ CHANGE_LIMIT: '2', TRUST_PROXY: '1' });
    const user = await limited.signedIn();
    const other = await limited.signedIn();
    const rename = (client: TestClient) => client.patch('/api/me', { displayName: 'Somebody' });
    expect(await statusesOf(Array.from({ length: 4 }, () => () => rename(user)))).toEqual([
      ...new Array(2).fill(200),
      429,
      429,
    ]);
    expect((await rename(other)).status).toBe(200);
    expect((await user.get('/api/me')).status).toBe(200);
    const elsewhere = limited.visit({ cookie: user.cookie, headers: { 'x-forwarded-for': '198.51.100.3' } });
    expect((await rename(elsewhere)).status).toBe(429);
    await limited.close();
  });

  it('is narrower for messages, searches, exports and guesses at passwords', async () => {
    const limited = await beside({ CHANGE_LIMIT: '20' });
    const attempts: [most: number, attempt: (client: TestClient) => Promise<Response>][] = [
      [4, (client) => client.post('/api/messages', {})],
      [4, (client) => client.get('/api/conversations/search?q=%25_%25_%25_')],
      [1, (client) => client.get('/api/credits/entries.csv')],
      [1, (client) => client.get('/api/keys/usage.csv')],
      [2, (client) => client.post('/api/auth/check-password', { password: 'guess' })],
    ];
    for (const [most, attempt] of attempts) {
      const client = await limited.signedIn();
      const statuses = await statusesOf(Array.from({ length: most + 2 }, () => () => attempt(client)));
      expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    }
    await limited.close();
  });
});

describe('limits of attempts to sign in', () => {
  it('hold across processes and restarts', async () => {
    const env = { SIGN_IN_LIMIT: '3', TRUST_PROXY: '1' };
    const first = await beside(env);
    const second = await beside(env);
    const [one, two] = [from(first, '192.0.2.1'), from(second, '192.0.2.1')];
    expect(await statusesOf([one, two, one, two].map((client) => () => guess(client)))).toEqual([
      401, 401, 401, 429,
    ]);
    await first.close();
    await second.close();
    const restarted = await beside(env);
    expect((await guess(from(restarted, '192.0.2.1'))).status).toBe(429);
    await restarted.close();
  });

  it('count every spelling of the path or do not know it (GHSA-x732-6j76-qmhm)', async () => {
    const limited = await beside({ SIGN_IN_LIMIT: '3', TRUST_PROXY: '1' });
    const client = from(limited, '192.0.2.2');
    for (let n = 0; n < 3; n += 1) expect((await guess(client)).status).toBe(401);
    for (const path of [
      '//api/auth/sign-in/email',
      '/api//auth/sign-in/email',
      '/api/auth//sign-in/email',
      '/api/auth/sign-in/email/',
      '/api/auth/sign-in/email//',
      '/API/auth/sign-in/email',
      '/api/auth/Sign-In/email',
      '/api/auth/sign-in%2femail',
      '/api/auth%2Fsign-in/email',
      '/%61pi/auth/sign-in/email',
      '/api/auth/sign-in/email;x=1',
      '/api/auth/sign-in/email%00',
      '/api/./auth/sign-in/email',
      '/api/x/../auth/sign-in/email',
      '/api/auth/sign-in/email?x=1',
      '/api/auth/sign-in/email#x',
    ]) {
      expect([path, [404, 405, 429].includes((await guess(client, path)).status)]).toEqual([path, true]);
    }
    await limited.close();
  });

  it('see a /64 of IPv6 as one caller, however it spells itself (CVE-2026-45364, GHSA-p6v2-xcpg-h6xw)', async () => {
    const limited = await beside({ SIGN_IN_LIMIT: '5', TRUST_PROXY: '1' });
    const addresses = Array.from({ length: IS_LONG ? 1_000 : 100 }, (_, n) => {
      const group = ((n * 7919) % 65_536).toString(16);
      return [
        `2001:db8:77:1::${group}`,
        `2001:0DB8:0077:0001:${group}:0:0:${(n + 1).toString(16)}`,
        `2001:db8:77:1:0:0:192.0.2.${n % 256}`,
      ][n % 3];
    });
    const statuses: number[] = [];
    for (let n = 0; n < addresses.length; n += 50) {
      const some = addresses.slice(n, n + 50).map((address) => guess(from(limited, address ?? '')));
      statuses.push(...(await Promise.all(some)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(addresses.length - 5);
    expect((await guess(from(limited, '2001:db8:77:2::1'))).status).toBe(401);
    await limited.close();
  });

  it('see an IPv4 address and its IPv6 spellings as one caller (CVE-2026-45364)', async () => {
    const limited = await beside({ SIGN_IN_LIMIT: '2', TRUST_PROXY: '1' });
    const spellings = ['192.0.2.77', '::ffff:192.0.2.77', '::FFFF:C000:24D', '0:0:0:0:0:ffff:192.0.2.77'];
    expect(await statusesOf(spellings.map((address) => () => guess(from(limited, address))))).toEqual([
      401, 401, 429, 429,
    ]);
    await limited.close();
  });

  it.each([
    [0, (n: number) => `10.0.0.${n}`],
    [1, (n: number) => `10.0.0.${n}, 198.51.100.11`],
    [2, (n: number) => `10.0.0.${n}, 198.51.100.12, 10.1.1.${n}`],
  ])('behind %i proxies do not believe what the caller wrote before them', async (proxies, forwarded) => {
    const limited = await beside({ SIGN_IN_LIMIT: '2', TRUST_PROXY: String(proxies) });
    await app.database.database.sql`delete from rate_limits where key like 'sign-in:127.%'`;
    const attempts = [1, 2, 3, 4].map((n) => () => guess(from(limited, forwarded(n))));
    expect(await statusesOf(attempts)).toEqual([401, 401, 429, 429]);
    await app.database.database.sql`delete from rate_limits where key like 'sign-in:127.%'`;
    await limited.close();
  });
});
