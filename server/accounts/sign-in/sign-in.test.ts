import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { countWaiting } from '#test/database/held-user.ts';
import { hashPassword } from '../secrets/hash-password.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const signIn = (client: TestClient, body: object) => client.post('/api/auth/sign-in/email', body);
const readMe = async (client: TestClient) => (await (await client.get('/api/me')).json()) as UserRecord;

describe('signing in', () => {
  it('moves the time of the last login and nothing else', async () => {
    const first = app.visit();
    const { email, password } = await first.signUp();
    const before = await readMe(first);
    const second = app.visit();
    expect((await signIn(second, { email: ` ${email.toUpperCase()} `, password })).status).toBe(200);
    const after = await readMe(second);
    expect(after.lastLoginAt).toBeGreaterThan(before.lastLoginAt);
    expect(after).toEqual({ ...before, lastLoginAt: after.lastLoginAt });
  });

  it('gives a new token each time, and an attribute of the cookie for each danger', async () => {
    const client = app.visit();
    const account = await client.signUp();
    const former = client.cookie;
    const response = await signIn(client, credentialsOf(account));
    expect(client.cookie).not.toBe(former);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^parley\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(/^parley\.device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^parley\.offline_key=[\w-]{43}; Max-Age=2592000; Path=\/; SameSite=Strict$/),
    ]);
  });

  it('without remembering lasts as long as the browser, and a day at most', async () => {
    const client = app.visit();
    const account = await client.signUp();
    const response = await signIn(client, { ...credentialsOf(account), rememberMe: false });
    const cookie = response.headers.getSetCookie().find((one) => one.startsWith('parley.session_token='));
    expect(cookie).not.toMatch(/max-age|expires/i);
    const half = response.headers.getSetCookie().find((one) => one.startsWith('parley.offline_key='));
    expect(half).toMatch(/^parley\.offline_key=[\w-]{43}; Path=\/; SameSite=Strict$/);
    const [row] = await app.database.database.sql<{ hours: number }[]>`
      select extract(epoch from max(expires_at) - now())::float / 3600 as hours from sessions
       where user_id = ${account.userId} and expires_at < now() + interval '2 days'`;
    expect(row?.hours).toBeGreaterThan(23.9);
    expect(row?.hours).toBeLessThanOrEqual(24);
  });

  it('on https binds the cookie to the host and to secure connections', async () => {
    const secure = await createTestApp({
      beside: app,
      env: { PUBLIC_URL: 'https://parley.example', SIGN_UP_LIMIT: '100', SIGN_IN_LIMIT: '100' },
    });
    const client = secure.visit({ origin: 'https://parley.example' });
    const account = await client.signUp();
    const response = await signIn(client, credentialsOf(account));
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-parley\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-parley\.device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-parley\.offline_key=[\w-]{43}; Max-Age=2592000; Path=\/; Secure; SameSite=Strict$/,
      ),
    ]);
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect((await client.get('/api/me')).status).toBe(200);
    await secure.close();
  });
});

describe('a refused sign-in', () => {
  it('says the same whatever is wrong, in the words of the specification', async () => {
    const { email } = await app.visit().signUp();
    const attempts = [
      { email, password: 'wrong password' },
      { email: 'stranger@example.test', password: 'wrong password' },
      { email: 'no address', password: 'wrong password' },
      { email, password: '' },
      { email, password: 'x'.repeat(3_000) },
    ];
    for (const attempt of attempts) {
      const response = await signIn(app.visit(), attempt);
      expect(response.status).toBe(401);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect((await response.json()) as ErrorBody).toEqual({
        error: { code: 'invalid_credentials', message: '登录失败，请检查邮箱和密码', params: {} },
      });
    }
  });

  it('ten times for one account and network closes the door for a while, to that network only', async () => {
    const proxied = await createTestApp({ beside: app, env: { TRUST_PROXY: '1' } });
    const from = (address: string) => proxied.visit({ headers: { 'x-forwarded-for': address } });
    const owner = from('198.51.100.1');
    const account = await owner.signUp();
    const guess = (address: string) => signIn(from(address), { email: account.email, password: 'guess' });
    const statuses = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await guess('203.0.113.9')).status);
    expect(statuses).toEqual([...new Array(10).fill(401), 429, 429]);
    expect((await signIn(from('203.0.113.9'), credentialsOf(account))).status).toBe(429);
    expect((await signIn(from('198.51.100.2'), credentialsOf(account))).status).toBe(200);
    await proxied.close();
  });

  it('too often from one network is limited, under every spelling of the path', async () => {
    const limited = await createTestApp({ beside: app, env: { TRUST_PROXY: '1', SIGN_IN_LIMIT: '3' } });
    const client = limited.visit({ headers: { 'x-forwarded-for': '203.0.113.77' } });
    const paths = [
      '/api/auth/sign-in/email',
      '//api/auth/sign-in/email',
      '/api/auth//sign-in/email',
      '/api/auth/sign-in/email/',
    ];
    const guess = (path: string) => client.post(path, { email: 'a@example.test', password: 'guess' });
    for (let n = 0; n < 3; n += 1) expect((await guess(paths[0] ?? '')).status).toBe(401);
    for (const path of paths) expect([404, 405, 429]).toContain((await guess(path)).status);
    expect((await guess(paths[0] ?? '')).status).toBe(429);
    await limited.close();
  });
});

it('a password that is replaced while somebody signs in with it opens nothing', async () => {
  const { sql } = app.database.database;
  const account = await app.visit().signUp();
  const client = app.visit();
  const response = await sql.begin(async (tx) => {
    await tx`update identities set password = ${await hashPassword('another', app.config.hashing)} where user_id = ${account.userId}`;
    await tx`delete from sessions where user_id = ${account.userId}`;
    const asked = signIn(client, credentialsOf(account));
    await expect.poll(() => countWaiting(sql)).toBe(1);
    return [asked];
  });
  expect((await response[0])?.status).toBe(401);
  expect(await sql`select from sessions where user_id = ${account.userId}`).toHaveLength(0);
});

describe('signing out', () => {
  it('ends the session on the server and clears its cookies', async () => {
    const client = app.visit();
    await client.signUp();
    const stolen = app.visit({ cookie: client.cookie });
    const other = app.visit();
    expect((await stolen.get('/api/me')).status).toBe(200);
    expect((await client.post('/api/auth/sign-out')).status).toBe(200);
    expect(client.cookie).toMatch(/^parley\.device=[^;]+$/);
    expect((await stolen.get('/api/me')).status).toBe(401);
    expect((await other.post('/api/auth/sign-out')).status).toBe(200);
  });

  it('leaves the other sessions of the user alone', async () => {
    const first = app.visit();
    const account = await first.signUp();
    const second = app.visit();
    await signIn(second, credentialsOf(account));
    await first.post('/api/auth/sign-out', {});
    expect((await second.get('/api/me')).status).toBe(200);
  });
});

it('routes that identity libraries have and the product does not offer do not exist', async () => {
  const client = app.visit();
  await client.signUp();
  for (const path of [
    'delete-user',
    'update-user',
    'change-email',
    'sign-in/social',
    'forget-password',
    'error',
  ]) {
    expect((await client.post(`/api/auth/${path}`, {})).status).toBe(404);
    expect((await client.get(`/api/auth/${path}`)).status).toBe(404);
  }
});

function credentialsOf({ email, password }: { email: string; password: string }) {
  return { email, password };
}
