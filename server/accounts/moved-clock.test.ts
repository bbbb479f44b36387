import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { MovedClock } from '#test/moved-clock.ts';
import { pruneSessions } from './prune-sessions.ts';

const DAY = 86_400_000;
const BEGIN = Date.UTC(2031, 0, 31, 9);

let app: TestApp;
let clock: MovedClock;
beforeAll(async () => {
  clock = new MovedClock(BEGIN);
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
    clock.moveTo(clock.now().getTime() + 29.9 * DAY);
    app.deps.bus.publish('sessions', { userId, sessionId: null });
    await expect.poll(() => statusOf(client, '/api/me')).toBe(200);
    clock.moveTo(clock.now().getTime() + 0.2 * DAY);
    app.deps.bus.publish('sessions', { userId, sessionId: null });
    await expect.poll(() => statusOf(client, '/api/me')).toBe(401);
    const { sql } = app.database.database;
    const count = async () => (await sql`select from sessions where user_id = ${userId}`).count;
    expect(await count()).toBe(1);
    await pruneSessions(app.deps);
    expect(await count()).toBe(0);
    const response = await client.post('/api/auth/sign-in/email', { email, password });
    expect(response.status).toBe(200);
    expect(await statusOf(client, '/api/me')).toBe(200);
    expect(await (await client.get('/api/auth/get-session')).json()).toMatchObject({ user: { email } });
  });
});

async function statusOf(client: ReturnType<TestApp['visit']>, path: string) {
  return (await client.get(path)).status;
}
