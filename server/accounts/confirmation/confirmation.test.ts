import { afterAll, beforeAll, expect, it } from 'vitest';
import { turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { countWaiting } from '#test/database/held-user.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function register() {
  const client = app.visit();
  const account = await client.signUp();
  const { sql } = app.database.database;
  const [session] = await sql<{ id: string }[]>`select id from sessions where user_id = ${account.userId}`;
  const actor = { userId: account.userId, sessionId: session?.id ?? '' };
  const grow = (ago: string) =>
    sql`update sessions set confirmed_at = now() - ${ago}::interval where id = ${actor.sessionId}`;
  return { client, ...account, actor, grow };
}

const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;

it('a sign-in is a proof for ten minutes', async () => {
  const { actor, grow } = await register();
  await expect(requireConfirmed(app.deps, actor)).resolves.toBeUndefined();
  await grow('9 minutes 50 seconds');
  await expect(requireConfirmed(app.deps, actor)).resolves.toBeUndefined();
  await grow('10 minutes 1 second');
  await expect(requireConfirmed(app.deps, actor)).rejects.toMatchObject({ code: 'confirmation_required' });
});

it('the password is a fresh proof for this session alone, and a wrong one is none', async () => {
  const { client, actor, grow, email, password } = await register();
  const other = app.visit();
  await other.post('/api/auth/sign-in/email', { email, password });
  const { sql } = app.database.database;
  await sql`update sessions set confirmed_at = now() - interval '1 hour' where user_id = ${actor.userId}`;
  await grow('1 hour');
  expect(await codeOf(await client.post('/api/me/confirm', { password: 'a guess' }))).toBe(
    'invalid_credentials',
  );
  await expect(requireConfirmed(app.deps, actor)).rejects.toMatchObject({ code: 'confirmation_required' });
  expect((await client.post('/api/me/confirm', { password })).status).toBe(204);
  await expect(requireConfirmed(app.deps, actor)).resolves.toBeUndefined();
  const stale = await sql`
    select from sessions where user_id = ${actor.userId} and confirmed_at < now() - interval '59 minutes'`;
  expect(stale.count).toBe(1);
});

it('guesses are limited, and a visitor is asked to sign in', async () => {
  const { client, password } = await register();
  const statuses: number[] = [];
  for (let left = 11; left > 0; left -= 1)
    statuses.push((await client.post('/api/me/confirm', { password: 'a guess' })).status);
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
  expect(statuses[10]).toBe(429);
  expect((await client.post('/api/me/confirm', { password })).status).toBe(429);
  expect((await app.visit().post('/api/me/confirm', { password })).status).toBe(401);
});

it('a proof waits for whoever has the account locked, and is not used up where the session ends meanwhile', async () => {
  const { client, userId } = await register();
  const { recoveryCodes } = await turnOnSecondFactor(client, Date.now());
  const { sql } = app.database.database;
  const { sent } = await sql.begin(async (tx) => {
    await tx`select from users where id = ${userId} for no key update`;
    const confirmed = client.post('/api/me/confirm', { code: recoveryCodes[0] });
    await expect.poll(() => countWaiting(sql)).toBe(1);
    await tx`delete from sessions where user_id = ${userId}`;
    return { sent: confirmed };
  });
  expect(await codeOf(await sent)).toBe('unauthenticated');
  expect(await sql`select from recovery_codes where user_id = ${userId}`).toHaveLength(10);
});

it('says by which ways a user can confirm', async () => {
  const { client, userId } = await register();
  const methods = async () => (await client.get('/api/me/confirm')).json();
  expect(await methods()).toEqual({ methods: ['password'] });
  const { sql } = app.database.database;
  await sql`
    insert into identities (id, user_id, provider_id, account_id)
    values (gen_random_uuid(), ${userId}, 'google', ${userId})`;
  expect(await methods()).toEqual({ methods: ['password'] });
  await sql`delete from identities where user_id = ${userId} and provider_id = 'credential'`;
  expect(await methods()).toEqual({ methods: ['google'] });
  await sql`delete from identities where user_id = ${userId}`;
  expect(await methods()).toEqual({ methods: [] });
});
