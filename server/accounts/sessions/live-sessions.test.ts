import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { publishSignedOut } from './live-sessions.ts';

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  other = await createTestApp({ beside: app });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

/** A user whose session both processes have just seen. */
async function known() {
  const user = await app.signedIn();
  const beside = other.visit({ cookie: user.cookie });
  for (const client of [user, beside]) expect((await client.get('/api/me')).status).toBe(200);
  return { user, beside };
}

it('a session that was just seen is over on its own process as soon as somebody signs out', async () => {
  const { user } = await known();
  const { cookie } = user;
  expect((await user.post('/api/auth/sign-out', {})).status).toBe(200);
  expect((await app.visit({ cookie }).get('/api/me')).status).toBe(401);
});

it('another signature opens nothing while the session is known', async () => {
  const { user } = await known();
  const cookie = user.cookie.replace(/[^.]*$/, (signature) => signature.split('').reverse().join(''));
  expect(cookie).not.toBe(user.cookie);
  expect((await app.visit({ cookie }).get('/api/me')).status).toBe(401);
});

it('a sign-out on one process is known to the others at once', async () => {
  const { user, beside } = await known();
  await user.post('/api/auth/sign-out', {});
  await expect.poll(async () => (await beside.get('/api/me')).status, { timeout: 4_000 }).toBe(401);
});

it('the end of all sessions of a user ends each, and nobody else is signed out', async () => {
  const { user } = await known();
  const { user: neighbour } = await known();
  await app.database.database.sql`delete from sessions where user_id = ${user.userId}`;
  publishSignedOut(app.deps.bus, user.userId, null);
  expect((await user.get('/api/me')).status).toBe(401);
  expect((await neighbour.get('/api/me')).status).toBe(200);
});
