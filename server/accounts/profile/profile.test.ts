import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SessionList, sessionListSchema, type UserRecord } from '#contract/accounts.ts';
import { createTestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { createMailingApp, type MailingApp } from '#test/mailbox.ts';

let app: MailingApp;
beforeAll(async () => {
  app = await createMailingApp();
});
afterAll(() => app.close());

const PASSWORD = 'the first password';
let count = 0;

async function register() {
  count += 1;
  const email = `profile-${count}@example.test`;
  const client = app.visit({ headers: { 'accept-language': 'en', 'user-agent': 'Test browser' } });
  expect((await client.post('/api/auth/sign-up/email', { email, password: PASSWORD })).status).toBe(200);
  return { email, client };
}

async function signIn(email: string, password: string) {
  const client = app.visit({ headers: { 'user-agent': 'Another browser' } });
  const { status } = await client.post('/api/auth/sign-in/email', { email, password });
  return { client, status };
}

const sessionsOf = async (client: TestClient) =>
  ((await (await client.get('/api/sessions')).json()) as SessionList).sessions;
const statusOfMe = async (client: TestClient) => (await client.get('/api/me')).status;
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;

it('a new name is in the record, one of nothing is refused, and nobody else is renamed', async () => {
  const { client } = await register();
  const { client: neighbour } = await register();
  const changed = (await (
    await client.patch('/api/me', { displayName: ' 林\u0000小雨 ' })
  ).json()) as UserRecord;
  expect(changed.displayName).toBe('林小雨');
  expect((await client.patch('/api/me', { displayName: '  ' })).status).toBe(422);
  expect((await client.patch('/api/me', { displayName: 'x'.repeat(101) })).status).toBe(422);
  expect((await client.patch('/api/me', { email: 'other@example.test' })).status).toBe(422);
  expect(((await (await neighbour.get('/api/me')).json()) as UserRecord).displayName).not.toBe('林小雨');
});

it('a changed password signs every other browser out, and says so by mail in the language of the user', async () => {
  const { email, client } = await register();
  const other = await signIn(email, PASSWORD);
  expect(await statusOfMe(other.client)).toBe(200);
  const change = { currentPassword: PASSWORD, newPassword: 'the second password' };
  expect((await client.post('/api/me/password', change)).status).toBe(204);
  expect(await statusOfMe(client)).toBe(200);
  expect(await statusOfMe(other.client)).toBe(401);
  expect((await signIn(email, PASSWORD)).status).toBe(401);
  expect((await signIn(email, 'the second password')).status).toBe(200);
  const [mail] = await app.mailbox.waitFor(email, 1, /密码已修改|password was changed/);
  expect(mail?.subject).toBe('Your password was changed');
  expect(mail?.text).toContain('all other devices have been logged out');
});

it('a wrong current password or a new one that may not be changes nothing, and guesses are limited', async () => {
  const { email, client } = await register();
  const attempt = (currentPassword: string, newPassword = 'the second password') =>
    client.post('/api/me/password', { currentPassword, newPassword });
  expect(await codeOf(await attempt('a guess'))).toBe('invalid_credentials');
  expect(await codeOf(await attempt(PASSWORD, '12345'))).toBe('password_too_short');
  const guesses = [];
  for (let left = 11; left > 0; left -= 1) guesses.push((await attempt('a guess')).status);
  expect(guesses.at(-1)).toBe(429);
  expect((await signIn(email, PASSWORD)).status).toBe(200);
});

it('the list tells where one is signed in, and any of it can be ended, but not for somebody else', async () => {
  const { email, client } = await register();
  const other = await signIn(email, PASSWORD);
  const sessions = await sessionsOf(client);
  expect(sessionListSchema.parse({ sessions })).toEqual({ sessions });
  expect(sessions).toHaveLength(2);
  const own = sessions.find(({ current }) => current);
  const foreign = sessions.find(({ current }) => !current);
  expect(own?.userAgent).toBe('Test browser');
  expect(foreign?.userAgent).toBe('Another browser');
  const { client: neighbour } = await register();
  expect((await neighbour.delete(`/api/sessions/${foreign?.id}`)).status).toBe(404);
  expect(await statusOfMe(other.client)).toBe(200);
  expect((await client.delete(`/api/sessions/${foreign?.id}`)).status).toBe(204);
  expect(await statusOfMe(other.client)).toBe(401);
  expect((await client.delete(`/api/sessions/${foreign?.id}`)).status).toBe(404);
  expect((await client.delete('/api/sessions/nonsense')).status).toBe(404);
});

it('all other browsers are signed out at once, and the one that asks stays', async () => {
  const { email, client } = await register();
  const others = await Promise.all([signIn(email, PASSWORD), signIn(email, PASSWORD)]);
  for (const other of others) expect(await statusOfMe(other.client)).toBe(200);
  expect((await client.delete('/api/sessions')).status).toBe(204);
  for (const other of others) expect(await statusOfMe(other.client)).toBe(401);
  expect(await sessionsOf(client)).toHaveLength(1);
});

it('the last use of a session is noted, but not with every request', async () => {
  const { email, client } = await register();
  const { sql } = app.database.database;
  const set = (ago: string) => sql`
    update sessions set used_at = now() - ${ago}::interval where user_id = (select id from users where email = ${email})`;
  const age = async () => {
    const [row] = await sql<{ seconds: number }[]>`
      select extract(epoch from now() - used_at)::float8 as seconds from sessions
       where user_id = (select id from users where email = ${email})`;
    return row?.seconds ?? 0;
  };
  await set('3 minutes');
  const second = app.visit({ cookie: client.cookie });
  await second.get('/api/me');
  expect(await age()).toBeGreaterThan(170);
  await set('1 hour');
  const third = await createTestApp({ beside: app });
  await third.visit({ cookie: client.cookie }).get('/api/me');
  await expect.poll(age).toBeLessThan(60);
  await third.close();
});
