import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp } from '#test/app.ts';
import { createMailingApp, type MailingApp } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { resetPassword } from './reset-password.ts';

let app: MailingApp;
beforeAll(async () => {
  app = await createMailingApp();
});
afterAll(() => app.close());

const RESET_LINK = /\/reset-password#token=([\w-]+)/;
let count = 0;
const OLD = 'the old password';
const NEW = 'the new password';

/** A user with a password, signed in, by the product's own door. */
async function register() {
  count += 1;
  const email = `reset-${count}@example.test`;
  const client = app.visit({ headers: { cookie: 'lang=en' } });
  const user = app.visit();
  expect((await user.post('/api/auth/sign-up/email', { email, password: OLD })).status).toBe(200);
  return { email, user, client };
}

async function requestToken(email: string): Promise<string> {
  const before = (await app.mailbox.list(email, RESET_LINK)).length;
  expect((await app.visit().post('/api/auth/request-password-reset', { email })).status).toBe(200);
  const [mail] = await app.mailbox.waitFor(email, before + 1, RESET_LINK);
  const token = RESET_LINK.exec(mail?.text ?? '')?.[1];
  expect(token).toBeDefined();
  return token ?? '';
}

const signIn = (email: string, password: string) =>
  app.visit().post('/api/auth/sign-in/email', { email, password });
const reset = (token: string, newPassword: string) =>
  app.visit().post('/api/auth/reset-password', { token, newPassword });
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;

it('the link of the mail sets a new password, ends every session, and says so by mail', async () => {
  const { email, user } = await register();
  const token = await requestToken(email);
  expect((await reset(token, NEW)).status).toBe(200);
  expect((await user.get('/api/me')).status).toBe(401);
  expect((await signIn(email, OLD)).status).toBe(401);
  expect((await signIn(email, NEW)).status).toBe(200);
  const [changed] = await app.mailbox.waitFor(email, 1, /密码已修改/);
  expect(changed?.text).toContain(email);
  expect(changed?.text).toContain('所有设备都已退出登录');
});

it('of 50 parallel uses of one link one succeeds (GHSA-hc7v-rggr-4hvx, GHSA-hc7v-x88r-fmh4)', async () => {
  const { email } = await register();
  const token = await requestToken(email);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => reset(token, `${NEW} ${index}`)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.find(({ status }) => status !== 200);
  expect(refused && (await codeOf(refused))).toBe('reset_link_invalid');
});

it('using one link puts the others of the user out of use', async () => {
  const { email } = await register();
  const first = await requestToken(email);
  const second = await requestToken(email);
  expect((await reset(second, NEW)).status).toBe(200);
  expect(await codeOf(await reset(first, 'another one'))).toBe('reset_link_invalid');
});

it('a link is good for an hour, and the table does not hold it', async () => {
  const { email } = await register();
  const token = await requestToken(email);
  const { sql } = app.database.database;
  const [row] =
    await sql`select count(*)::int as count from verifications where position(${token} in identifier || value) > 0`;
  expect(row?.count).toBe(0);
  await sql`update verifications set expires_at = now() - interval '1 second'
             where value = (select id::text from users where email = ${email})`;
  expect(await codeOf(await reset(token, NEW))).toBe('reset_link_invalid');
});

it('a link that is none, is over or was used is refused before anything is hashed', async () => {
  const { email } = await register();
  const [over, used] = [await requestToken(email), await requestToken(email)];
  const { database, clock, bus, config } = app.deps;
  const { sql } = database;
  let hashed = 0;
  const counting = {
    ...config,
    /** What a hash costs is asked for by each. */
    get hashing() {
      hashed += 1;
      return config.hashing;
    },
  };
  const resetBy = (token: string) =>
    resetPassword({ database, clock, bus, config: counting }, { token, newPassword: NEW }, null);
  await sql`update verifications set expires_at = now() - interval '1 second'
             where identifier = ${`reset-password:${hashProof(over)}`}`;
  for (const token of ['', 'x'.repeat(43), over])
    await expect(resetBy(token)).rejects.toMatchObject({ code: 'reset_link_invalid' });
  expect(hashed).toBe(0);
  await resetBy(used);
  expect(hashed).toBe(1);
  await expect(resetBy(used)).rejects.toMatchObject({ code: 'reset_link_invalid' });
  expect(hashed).toBe(1);
});

it('a password that may not be leaves the link usable', async () => {
  const { email } = await register();
  const token = await requestToken(email);
  expect(await codeOf(await reset(token, '12345'))).toBe('password_too_short');
  expect((await reset(token, NEW)).status).toBe(200);
});

it('an address that nobody has gets the same answer and no mail', async () => {
  const email = 'nobody@example.test';
  const response = await app.visit().post('/api/auth/request-password-reset', { email });
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 200,
    body: { status: true },
  });
  const { sql } = app.database.database;
  await expect
    .poll(async () => (await sql`select outcome from mails where to_address = ${email}`)[0]?.outcome)
    .toBe('unwanted');
  expect(await app.mailbox.list(email)).toEqual([]);
});

it('an address is written to three times in a quarter of an hour, whether or not anybody has it', async () => {
  const { email } = await register();
  for (const address of [email, 'limited@example.test']) {
    for (let left = 5; left > 0; left -= 1)
      expect((await app.visit().post('/api/auth/request-password-reset', { email: address })).status).toBe(
        200,
      );
    const { sql } = app.database.database;
    const mails = sql`select from mails where to_address = ${address} and template = 'password_reset'`;
    expect(await mails).toHaveLength(3);
  }
});

it.runIf(IS_LONG)('a mail that the mail server refuses for now is sent later, once', async () => {
  const { email } = await register();
  const { sql } = app.database.database;
  await expect.poll(() => sql`select id from mails where ended_at is null`).toHaveLength(0);
  await app.mailbox.refuse(451, 1);
  await app.visit().post('/api/auth/request-password-reset', { email });
  await expect
    .poll(
      async () =>
        (
          await sql`select tries, error from mails where key like 'password_reset:%' and to_address = ${email}`
        )[0],
    )
    .toMatchObject({ tries: 1, error: expect.stringContaining('refused') });
  await sql`update mails set next_try_at = now() where to_address = ${email}`;
  await app.mailbox.waitFor(email, 1, RESET_LINK);
});

it('without a mail server the request says which setting is missing', async () => {
  const plain = await createTestApp();
  const response = await plain.visit().post('/api/auth/request-password-reset', { email: 'a@example.test' });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    error: { code: 'not_configured', params: { setting: 'SMTP_URL' } },
  });
  await plain.close();
});
