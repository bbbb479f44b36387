import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiKey } from '#contract/keys.ts';
import { MAX_KEYS } from '#contract/limits.ts';
import { apiUser, makeKey, openaiClient } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { refusal } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { IS_LONG } from '#test/runs.ts';

const ask = {
  model: 'gemini-2.5-flash-lite',
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

const logged: string[] = [];
let now: Date | null = null;
let app: TestApp;
beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) });
  const clock = { now: () => now ?? new Date(), databaseTime: () => now };
  app = await createTestApp({ log, clock, env: { TRUST_PROXY: '1' } });
});
afterAll(() => app.close());

const list = async (client: TestClient) => {
  const body = (await (await client.get('/api/keys')).json()) as { keys: ApiKey[] };
  return body.keys;
};
const change = (client: TestClient, id: string, body: object) =>
  client.request(`/api/keys/${id}`, {
    method: 'PATCH',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
const revoke = (client: TestClient, id: string) => client.request(`/api/keys/${id}`, { method: 'DELETE' });
const call = (key: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${key}`, ...headers } });

test('a key is shown once, and stored as a hash', async () => {
  const user = await app.signedIn();
  const { key, ...made } = await makeKey(user, { name: '  我的脚本  ' });
  expect(key).toMatch(/^sk-parley-[A-Za-z0-9_-]{43}$/);
  expect(made.name).toBe('我的脚本');
  expect(key.startsWith(made.prefix)).toBe(true);
  expect(made.prefix).toHaveLength('sk-parley-'.length + 6);
  const shown = await list(user);
  expect(shown).toEqual([made]);
  const [row] = await app.database.database.sql`select * from api_keys where id = ${made.id}`;
  expect(JSON.stringify({ row, shown })).not.toContain(key.slice(-30));
  expect((await call(key)).status).toBe(200);
  expect((await list(user))[0]?.lastUsedAt).toBeGreaterThan(0);
});

test('at most twenty keys a user, however many are made at once; a revoked one makes room', async () => {
  const user = await app.signedIn();
  const made = await Promise.all(
    Array.from({ length: MAX_KEYS + 10 }, () => user.post('/api/keys', { name: 'k' })),
  );
  expect(made.filter(({ status }) => status === 201)).toHaveLength(MAX_KEYS);
  const refused = made.find(({ status }) => status !== 201);
  expect(refused && (await refusal(refused))).toMatchObject({ status: 409, code: 'too_many_keys' });
  const [first] = await list(user);
  expect((await revoke(user, first?.id ?? '')).status).toBe(204);
  expect((await user.post('/api/keys', { name: 'again' })).status).toBe(201);
});

test.runIf(IS_LONG)('making keys is rate limited', async () => {
  const user = await app.signedIn();
  for (let made = 0; made < 60; made += 1) {
    const { id } = await makeKey(user);
    await revoke(user, id);
  }
  const refused = await user.post('/api/keys', { name: 'k' });
  expect(await refusal(refused)).toMatchObject({ status: 429, code: 'rate_limited' });
});

test('a key and its user are nobody else’s', async () => {
  const [one, two] = [await app.signedIn(), await app.signedIn()];
  const { id, key } = await makeKey(one);
  expect(await list(two)).toEqual([]);
  expect((await change(two, id, { name: 'mine' })).status).toBe(404);
  expect((await revoke(two, id)).status).toBe(404);
  expect((await call(key)).status).toBe(200);
  for (const path of ['/api/keys', '/api/keys/usage', '/api/keys/usage.csv']) {
    expect((await app.visit().get(path)).status).toBe(401);
  }
  expect((await app.visit().post('/api/keys', { name: 'k' })).status).toBe(401);
  expect((await change(app.visit(), id, { name: 'x' })).status).toBe(401);
  expect((await revoke(app.visit(), id)).status).toBe(401);
});

test('a name and scopes can be changed, and what is left out stays', async () => {
  const user = await app.signedIn();
  const { id } = await makeKey(user, { monthlyCap: 100, models: ['parley-flash'] });
  const changed = await change(user, id, { name: 'New', models: null, allowedAddresses: ['10.0.0.0/8'] });
  expect(await changed.json()).toMatchObject({
    name: 'New',
    models: null,
    monthlyCap: 100,
    allowedAddresses: ['10.0.0.0/8'],
    expiresAt: null,
  });
  expect((await change(user, randomUUID(), { name: 'x' })).status).toBe(404);
  expect((await change(user, 'nonsense', { name: 'x' })).status).toBe(404);
});

test.for([
  { name: '' },
  { name: 'x'.repeat(81) },
  { name: 'k', monthlyCap: 0 },
  { name: 'k', models: [] },
  { name: 'k', allowedAddresses: ['10.0.0.0'] },
  { name: 'k', allowedAddresses: ['10.0.0.0/33'] },
  { name: 'k', expiresAt: 1 },
  { name: 'k', scope: 'all' },
])('a key cannot be made of %j', async (body) => {
  const user = await app.signedIn();
  expect((await user.post('/api/keys', body)).status).toBe(422);
});

test('a key works only from its networks, as seen behind the proxy', async () => {
  const user = await app.signedIn();
  const { key } = await makeKey(user, { allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'] });
  const from = (address: string) => call(key, { 'x-forwarded-for': address });
  expect((await from('203.0.113.9')).status).toBe(200);
  expect((await from('::ffff:203.0.113.9')).status).toBe(200);
  expect((await from('2001:db8:1::5')).status).toBe(200);
  const refused = await from('198.51.100.1');
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ error: { code: 'address_not_allowed' } });
  expect((await from('203.0.113.9, 198.51.100.1')).status).toBe(403);
});

test('a key is refused from the moment it expires', async () => {
  const user = await app.signedIn();
  const { key } = await makeKey(user, { expiresAt: Date.now() + 3_600_000 });
  expect((await call(key)).status).toBe(200);
  now = new Date(Date.now() + 3_600_001);
  expect((await call(key)).status).toBe(401);
  now = null;
});

test('a key spends no more than its cap in a calendar month, however many ask at once', async () => {
  now = new Date('2026-03-31T23:00:00Z');
  const { client } = await apiUser(app, { monthlyCap: 20 });
  const sent = await Promise.allSettled(Array.from({ length: 6 }, () => client.chat.completions.create(ask)));
  const refused = sent.filter((one) => one.status === 'rejected');
  expect(sent.length - refused.length).toBe(2);
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ status: 429, code: 'monthly_cap_reached', type: 'insufficient_quota' });
  }
  now = new Date('2026-04-01T00:00:01Z');
  await client.chat.completions.create(ask);
  now = null;
});

test('the allowance of a minute is the user’s, over all keys', async () => {
  const limited = await createTestApp({ beside: app, env: { API_REQUEST_LIMIT: '3' } });
  const user = await limited.signedIn();
  const [one, two] = [await makeKey(user), await makeKey(user)];
  for (const left of ['2', '1', '0']) {
    const response = await fetch(`${limited.url}/v1/models`, {
      headers: { authorization: `Bearer ${left === '1' ? one.key : two.key}` },
    });
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe(left);
  }
  const refused = await openaiClient(limited, one.key)
    .models.list()
    .catch((caught) => caught);
  expect(refused).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await limited.close();
});

test('calls from addresses that a key does not allow use up nothing of its owner, and are no use of it', async () => {
  const limited = await createTestApp({ beside: app, env: { API_REQUEST_LIMIT: '2', TRUST_PROXY: '1' } });
  const user = await limited.signedIn();
  const { key } = await makeKey(user, { allowedAddresses: ['203.0.113.0/24'] });
  const from = (address: string) =>
    fetch(`${limited.url}/v1/models`, {
      headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address },
    });
  for (let n = 0; n < 5; n += 1) expect((await from('198.51.100.1')).status).toBe(403);
  expect((await list(user))[0]?.lastUsedAt).toBeNull();
  expect((await from('203.0.113.9')).status).toBe(200);
  expect((await from('203.0.113.9')).status).toBe(200);
  expect((await from('203.0.113.9')).status).toBe(429);
  await limited.close();
});

test('no key is ever logged, told in an error, or left in a table', async () => {
  const { key } = await apiUser(app);
  const secret = key.slice(-43);
  const told: string[] = [];
  for (const authorization of [`Bearer ${key}x`, `Basic ${key}`, key, `Bearer ${key}`]) {
    const response = await fetch(`${app.url}/v1/chat/completions?key=none`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"model":1}',
    });
    told.push(await response.text(), JSON.stringify([...response.headers]));
  }
  const { sql } = app.database.database;
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'credit')`;
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select t::text as row from ${name} t`);
    told.push(...rows.map(({ row }) => String(row)));
  }
  expect(logged.length).toBeGreaterThan(0);
  expect([...logged, ...told].filter((text) => text.includes(secret))).toEqual([]);
});
