import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSessionToken, sessionCookieName } from '#server/accounts/secrets/session-cookie.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { startMailbox } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it('every sign-in has a token of its own of 256 bits, whatever the visitor brought along', async () => {
  const name = sessionCookieName(app.config.publicUrl);
  const { email, password } = await app.visit().signUp();
  const tokens = new Set<string>();
  for (let n = 0; n < 20; n += 1) {
    const planted = `${'x'.repeat(43)}.planted`;
    const client = app.visit({ cookie: `${name}=${planted}` });
    expect((await client.post('/api/auth/sign-in/email', { email, password })).status).toBe(200);
    const pair = client.cookie.split('; ').find((one) => one.startsWith(`${name}=`)) ?? '';
    const value = decodeURIComponent(pair.slice(name.length + 1));
    const token = value.slice(0, value.lastIndexOf('.'));
    expect(Buffer.from(token, 'base64url').length).toBe(32);
    expect(value).not.toContain('planted');
    tokens.add(token);
  }
  expect(tokens.size).toBe(20);
});

it('a sign-in ends the session that this browser had, of whomever, and no other', async () => {
  const elsewhere = app.visit();
  const { email, password } = await elsewhere.signUp();
  const browser = app.visit();
  await browser.signUp();
  const former = [browser.cookie];
  for (let n = 0; n < 2; n += 1) {
    expect((await browser.post('/api/auth/sign-in/email', { email, password })).status).toBe(200);
    former.push(browser.cookie);
  }
  const now = former.pop();
  expect(await Promise.all([elsewhere.cookie, now].map(sessionsOf))).toEqual([1, 1]);
  expect(await Promise.all(former.map(sessionsOf))).toEqual([0, 0]);
});

it('a sign-in that is refused leaves this browser the session that it had', async () => {
  const { email } = await app.visit().signUp();
  const browser = app.visit();
  await browser.signUp();
  const refused = await browser.post('/api/auth/sign-in/email', { email, password: 'wrong horse' });
  expect([refused.status, await sessionsOf(browser.cookie)]).toEqual([401, 1]);
});

it('a sign-in leaves its user the hundred sessions that were used last', async () => {
  const { sql } = app.database.database;
  const earlier = app.visit();
  const { email, password, userId } = await earlier.signUp();
  await sql`
    insert into sessions (id, user_id, token, expires_at, used_at)
    select gen_random_uuid(), ${userId}, gen_random_uuid()::text, now() + interval '1 day', now() - n * interval '1 minute'
      from generate_series(1, 120) n`;
  const client = app.visit();
  expect((await client.post('/api/auth/sign-in/email', { email, password })).status).toBe(200);
  for (const one of [earlier, client]) expect((await one.get('/api/me')).status).toBe(200);
  const left = await sql<{ old: boolean }[]>`
    select used_at < now() - interval '99 minutes' as old from sessions where user_id = ${userId}`;
  expect(left).toHaveLength(100);
  expect(left.filter(({ old }) => old)).toEqual([]);
});

it.runIf(IS_LONG)('sign-ins from ever new places are told by twenty mails a day and no more', async () => {
  const mailbox = await startMailbox();
  const mailing = await createTestApp({ beside: app, env: { ...mailbox.settings, TRUST_PROXY: '1' } });
  const { email, password } = await mailing.visit().signUp();
  for (let n = 0; n < 25; n += 1) {
    const elsewhere = mailing.visit({ headers: { 'x-forwarded-for': `10.0.${n}.9` } });
    expect((await elsewhere.post('/api/auth/sign-in/email', { email, password })).status).toBe(200);
  }
  const { sql } = app.database.database;
  expect(await sql`select from mails where template = 'new_sign_in' and to_address = ${email}`).toHaveLength(
    20,
  );
  await mailing.close();
  await mailbox.close();
});

/** How many sessions have the token of a `Cookie` header. */
async function sessionsOf(cookies = ''): Promise<number> {
  const { publicUrl, authSecret } = app.config;
  const token = readSessionToken(cookies, sessionCookieName(publicUrl), authSecret);
  return (await app.database.database.sql`select from sessions where token = ${token}`).count;
}
