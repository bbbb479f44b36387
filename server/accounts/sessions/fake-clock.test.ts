import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { deleteExpiredAccess } from '../delete-expired-access.ts';
import { publishNewToken } from './live-sessions.ts';

const DAY = 86_400_000;
const BEGIN = Date.UTC(2031, 0, 31, 9);

let app: TestApp;
let clock: FakeClock;
beforeAll(async () => {
  clock = new FakeClock(BEGIN);
  app = await createTestApp({ clock });
});
afterAll(() => app.close());

describe('an account under a clock of its own', () => {
  it('is opened at its time, with a free month that begins then', async () => {
    const client = app.visit();
    const { userId } = await client.signUp();
    const { sql } = app.database.database;
    const [row] = await sql`
      select u.created_at, u.last_login_at, a.free_anchor, s.created_at as session, s.expires_at
        from users u join credit.account a on a.user_id = u.id join sessions s on s.user_id = u.id
       where u.id = ${userId}`;
    const sinceBegin = (time: Date) => time.getTime() - BEGIN;
    for (const name of ['created_at', 'last_login_at', 'free_anchor', 'session']) {
      expect(sinceBegin(row?.[name]), name).toBeGreaterThanOrEqual(0);
      expect(sinceBegin(row?.[name]), name).toBeLessThan(60_000);
    }
    expect(sinceBegin(row?.expires_at)).toBeGreaterThan(29 * DAY);
    expect(await (await client.get('/api/me')).json()).toMatchObject({ credits: 40 });
  });

  it('is signed in as long as a session lasts, by that clock, and can sign in again', async () => {
    const client = app.visit();
    const { email, password, userId } = await client.signUp();
    for (const days of [10, 10, 9.9]) {
      await pass(userId, days);
      expect(await statusOf(client, '/api/me')).toBe(200);
      await expect.poll(() => isUsedNow(userId)).toBe(true);
    }
    await pass(userId, 0.2);
    expect(await statusOf(client, '/api/me')).toBe(401);
    const { sql } = app.database.database;
    const count = async () => (await sql`select from sessions where user_id = ${userId}`).count;
    expect(await count()).toBe(1);
    await deleteExpiredAccess(app.deps);
    expect(await count()).toBe(0);
    const response = await client.post('/api/auth/sign-in/email', { email, password });
    expect(response.status).toBe(200);
    expect(await statusOf(client, '/api/me')).toBe(200);
    expect(await (await client.get('/api/auth/get-session')).json()).toMatchObject({ user: { email } });
  });
});

it('a session ends that was not used for SESSION_IDLE_DAYS, by that clock', async () => {
  const client = app.visit();
  const { userId } = await client.signUp();
  await pass(userId, 13.9);
  expect(await statusOf(client, '/api/me')).toBe(200);
  await expect.poll(() => isUsedNow(userId)).toBe(true);
  const strict = await createTestApp({ beside: app, clock, env: { SESSION_IDLE_DAYS: '1' } });
  const there = strict.visit({ cookie: client.cookie });
  expect(await statusOf(there, '/api/me')).toBe(200);
  await pass(userId, 1.1);
  await expect.poll(() => statusOf(there, '/api/me')).toBe(401);
  await strict.close();
  await pass(userId, 13);
  const { sql } = app.database.database;
  const count = async () => (await sql`select from sessions where user_id = ${userId}`).count;
  expect(await statusOf(client, '/api/me')).toBe(401);
  expect(await count()).toBe(1);
  await deleteExpiredAccess(app.deps);
  expect(await count()).toBe(0);
});

/** Lets days go by; what is remembered of the sessions of a user for seconds is forgotten. */
async function pass(userId: string, days: number) {
  clock.moveTo(clock.now().getTime() + days * DAY);
  const sessions = await app.database.database.sql<{ id: string }[]>`
    select id from sessions where user_id = ${userId}`;
  for (const { id } of sessions) publishNewToken(app.deps.bus, userId, id);
}

/** Is the last use of the session noted as of just now. */
async function isUsedNow(userId: string): Promise<boolean> {
  const since = new Date(clock.now().getTime() - DAY);
  const { sql } = app.database.database;
  return (await sql`select from sessions where user_id = ${userId} and used_at > ${since}`).count > 0;
}

async function statusOf(client: ReturnType<TestApp['visit']>, path: string) {
  return (await client.get(path)).status;
}
