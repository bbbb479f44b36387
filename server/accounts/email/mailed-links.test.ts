import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '#test/api.ts';
import type { TestClient } from '#test/client.ts';
import { countWaiting } from '#test/database/held-user.ts';
import { createMailingApp, type MailingApp } from '#test/mailbox.ts';

let app: MailingApp;
beforeAll(async () => {
  app = await createMailingApp();
});
afterAll(() => app.close());

const PASSWORD = 'an old password';
const sql = () => app.database.database.sql;
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;
const isIn = async (client: TestClient) => (await client.get('/api/me')).status === 200;

async function register() {
  const client = app.visit({ headers: { 'accept-language': 'en' } });
  const { email, userId } = await client.signUp({ password: PASSWORD });
  await client.patch('/api/me', { language: 'en' });
  return { client, email, userId };
}

async function verified() {
  const made = await register();
  await sql()`update users set email_verified = true where id = ${made.userId}`;
  return made;
}

/** The token of a link on `page` in the newest mail that has one. */
async function tokenOf(email: string, page: string, name = 'token'): Promise<string> {
  const link = new RegExp(`/${page}#${name}=([\\w-]+)`);
  await app.mailbox.waitFor(email, 1, link);
  return link.exec((await app.mailbox.list(email, link))[0]?.text ?? '')?.[1] ?? '';
}

/** Each link that leads into an account: who has it mailed, and what opening it answers. */
const LINKS = {
  'not-me': {
    ask: ({ client }) => makeKey(client),
    open: (token) => app.visit().post('/api/auth/disown-notice', { token }),
    refusal: 'email_link_invalid',
  },
  'reset-password': {
    ask: ({ email }) => app.visit().post('/api/auth/request-password-reset', { email }),
    open: (token) => app.visit().post('/api/auth/reset-password', { token, newPassword: 'a new password' }),
    refusal: 'reset_link_invalid',
  },
  'sign-in-link': {
    ask: ({ email }) => app.visit().post('/api/auth/request-sign-in-link', { email }),
    open: (token) => app.visit().post('/api/auth/open-sign-in-link', { token }),
    refusal: 'sign_in_link_invalid',
  },
} satisfies Record<
  string,
  {
    ask: (user: Awaited<ReturnType<typeof register>>) => Promise<unknown>;
    open: (token: string) => Promise<Response>;
    refusal: string;
  }
>;
const PAGES = Object.keys(LINKS) as (keyof typeof LINKS)[];

/** Holds every insert of a link back until the returned function is called. */
async function holdLinks() {
  await sql()`
    create or replace function hold_link() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(30); return new; end $$`;
  await sql()`create or replace trigger hold_link before insert on verifications for each row execute function hold_link()`;
  const [held, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = sql().begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(30)`;
    held.resolve();
    await freed.promise;
  });
  await held.promise;
  return async () => {
    freed.resolve();
    await holding;
    await sql()`drop trigger hold_link on verifications`;
  };
}

describe.each(PAGES)('a %s link', (page) => {
  const { ask, open, refusal } = LINKS[page];

  it('that is composed while the address changes is good for nothing in the old mailbox', async () => {
    const user = await verified();
    const newEmail = `new-${user.email}`;
    await user.client.post('/api/me/email', { email: newEmail });
    const old = { token: await tokenOf(user.email, 'confirm-email') };
    expect((await app.visit().post('/api/auth/confirm-email-change', old)).status).toBe(200);
    const fresh = { token: await tokenOf(newEmail, 'confirm-email') };

    const release = await holdLinks();
    await ask(user);
    await expect.poll(() => countWaiting(sql())).toBe(1);
    let isChanged = false;
    const change = user.client.post('/api/auth/confirm-email-change', fresh).finally(() => {
      isChanged = true;
    });
    await expect.poll(async () => isChanged || (await countWaiting(sql())) === 2).toBe(true);
    await release();
    expect(await (await change).json()).toMatchObject({ changed: true, email: newEmail });

    expect(await codeOf(await open(await tokenOf(user.email, page)))).toBe(refusal);
    expect(await isIn(user.client)).toBe(true);
  });

  it('is good for nothing once the account has another address, and not used up', async () => {
    const user = await verified();
    await ask(user);
    const token = await tokenOf(user.email, page);
    await sql()`update users set email = ${`moved-${user.email}`} where id = ${user.userId}`;
    expect(await codeOf(await open(token))).toBe(refusal);
    await sql()`update users set email = ${user.email} where id = ${user.userId}`;
    expect((await open(token)).status).toBe(200);
    expect(await codeOf(await open(token))).toBe(refusal);
  });

  it('is good for nothing while the account waits for its deletion', async () => {
    const user = await verified();
    await ask(user);
    const token = await tokenOf(user.email, page);
    await sql()`update users set leaving_at = now() where id = ${user.userId}`;
    expect(await codeOf(await open(token))).toBe(refusal);
  });
});

it('the old mailbox can stop a change of address until it has happened', async () => {
  const user = await verified();
  const newEmail = `new-${user.email}`;
  await user.client.post('/api/me/email', { email: newEmail });
  const token = await tokenOf(user.email, 'confirm-email', 'stop');
  expect((await app.visit().post('/api/auth/stop-email-change', { token })).status).toBe(204);
  const fresh = { token: await tokenOf(newEmail, 'confirm-email') };
  expect(await codeOf(await user.client.post('/api/auth/confirm-email-change', fresh))).toBe(
    'email_link_invalid',
  );
});

it('no mail brings a link to an account that waits for its deletion', async () => {
  const user = await verified();
  await sql()`update users set leaving_at = now() where id = ${user.userId}`;
  await LINKS['reset-password'].ask(user);
  await expect
    .poll(
      async () =>
        (
          await sql()`select from mails where to_address = ${user.email} and template = 'password_reset' and ended_at is not null`
        ).count,
    )
    .toBe(1);
  expect(await app.mailbox.list(user.email, /reset-password#/)).toEqual([]);
});
