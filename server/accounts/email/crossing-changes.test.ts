import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConfirmedEmail } from '#contract/email.ts';
import { makeKey } from '#test/api.ts';
import type { TestClient } from '#test/client.ts';
import { countWaiting } from '#test/database/held-user.ts';
import { createMailingApp, type MailingApp } from '#test/mailbox.ts';

const CONFIRM = /\/confirm-email#token=([\w-]+)/;
const STOP = /\/confirm-email#stop=([\w-]+)/;

let app: MailingApp;
beforeAll(async () => {
  app = await createMailingApp();
});
afterAll(() => app.close());

let count = 0;
const freshEmail = () => {
  count += 1;
  return `crossing-${count}@example.test`;
};

async function register() {
  const email = freshEmail();
  const user = app.visit({ cookie: 'lang=en' });
  const { userId } = await user.signUp({ email });
  return { email, user, userId };
}

async function linkOf(email: string, link: RegExp): Promise<string> {
  const [mail] = await app.mailbox.waitFor(email, 1, link);
  return link.exec(mail?.text ?? '')?.[1] ?? '';
}

/** Asks for a change and returns the link that stops it. */
async function askForStop(user: TestClient, email: string) {
  expect((await user.post('/api/me/email', { email: freshEmail() })).status).toBe(202);
  return { stop: await linkOf(email, STOP) };
}

const confirm = (token: string) => app.visit().post('/api/auth/confirm-email-change', { token });
const emailOf = async (user: TestClient) =>
  ((await (await user.get('/api/me/email')).json()) as { email: string }).email;
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;

it('two accounts that swap addresses at the same moment are both told that they are taken', async () => {
  const { sql } = app.database.database;
  const [one, two] = [await register(), await register()];
  const ask = async ({ email, user, userId }: typeof one, newEmail: string) => {
    expect((await user.post('/api/me/email', { email: newEmail })).status).toBe(202);
    await sql`update email_changes set new_confirmed_at = now() where user_id = ${userId}`;
    return linkOf(email, CONFIRM);
  };
  const links = [await ask(one, two.email), await ask(two, one.email)];
  const answers = await Promise.all(links.map((link) => confirm(link)));
  expect(await Promise.all(answers.map(codeOf))).toEqual(['email_taken', 'email_taken']);
  expect([await emailOf(one.user), await emailOf(two.user)]).toEqual([one.email, two.email]);
});

it('a change to an address that another account is just giving up waits for that, and happens', async () => {
  const { sql } = app.database.database;
  const [holder, { email, user, userId }] = [await register(), await register()];
  expect((await user.post('/api/me/email', { email: holder.email })).status).toBe(202);
  await sql`update email_changes set new_confirmed_at = now() where user_id = ${userId}`;
  const link = await linkOf(email, CONFIRM);
  const { sent } = await sql.begin(async (tx) => {
    await tx`select from users where id = ${holder.userId} for no key update`;
    const changed = confirm(link);
    await expect.poll(() => countWaiting(sql)).toBe(1);
    await tx`update users set email = ${freshEmail()} where id = ${holder.userId}`;
    return { sent: changed };
  });
  expect((await (await sent).json()) as ConfirmedEmail).toEqual({ changed: true, email: holder.email });
});

it('a change that is stopped while its account is being deleted is over, and the account goes at once', async () => {
  const { sql } = app.database.database;
  const { email, user, userId } = await register();
  const { stop } = await askForStop(user, email);
  const { sent } = await sql.begin(async (tx) => {
    await tx`select from email_changes where user_id = ${userId} for update`;
    const deletion = user.post('/api/me/delete', { email });
    await expect.poll(() => countWaiting(sql)).toBe(1);
    let isAnswered = false;
    const stopped = app.visit().post('/api/auth/stop-email-change', { token: stop });
    void stopped.then(() => (isAnswered = true));
    await expect.poll(async () => isAnswered || (await countWaiting(sql)) === 2).toBe(true);
    return { sent: [deletion, stopped] };
  });
  const [deletion, stopped] = (await Promise.all(sent)) as [Response, Response];
  expect(await deletion.json()).toEqual({ state: 'deleted' });
  expect(await codeOf(stopped)).toBe('email_link_invalid');
});

describe('an address that changes', () => {
  interface Acting {
    userId: string;
    /** Of a request that runs, let in by a key. */
    requestId: string;
  }
  const sql = () => app.database.database.sql;

  // The functions that the product calls; its pinned connection would give up before a circle is found.
  async function sendMessage({ userId }: Acting) {
    const [row] = await sql()<{ isDone: boolean }[]>`
      select result = 'sent' as "isDone"
        from send_message(${userId}, ${randomUUID()}, ${randomUUID()}, null, 'parley-flash', 'x', 'x', 8, ${app.deps.instanceId}, 9, null,
          'x', false, 9, 9, null)`;
    return row?.isDone;
  }

  async function sendRequest(userId: string, id: string, keyId: string | null) {
    const [row] = await sql()<{ isDone: boolean }[]>`
      select result = 'sent' as "isDone"
        from send_api_message(${userId}, ${id}, ${keyId}, null, ${randomBytes(32)}, 'parley-flash', 8, 1, ${app.deps.instanceId}, 9, null,
          9, 9)`;
    return row?.isDone;
  }

  /** Ends it as a free one, which is counted. */
  async function endRequest({ requestId }: Acting) {
    const [row] = await sql()<{ isDone: boolean }[]>`
      select ended_at is not null as "isDone"
        from end_message(${requestId}, ${app.deps.instanceId}, 'failed', 'yes', 'upstream_failed', null, null, null::jsonb, false, false,
          'message', 2, 2, '[]'::jsonb, null, null, false, null, false, true, null::int, null::jsonb, null::jsonb, null, null::jsonb)`;
    return row?.isDone;
  }

  it.for([
    ['a message is sent', sendMessage],
    ['a request of the API is sent', ({ userId }: Acting) => sendRequest(userId, randomUUID(), null)],
    ['a request of the API ends', endRequest],
  ] as const)('while %s by its user waits for that and not in a circle', async ([, act]) => {
    const { email, user, userId } = await register();
    const requestId = randomUUID();
    expect(await sendRequest(userId, requestId, (await makeKey(user)).id)).toBe(true);
    const newEmail = freshEmail();
    expect((await user.post('/api/me/email', { email: newEmail })).status).toBe(202);
    await sql()`update email_changes set new_confirmed_at = now() where user_id = ${userId}`;
    const link = await linkOf(email, CONFIRM);
    const { sent } = await sql().begin(async (tx) => {
      await tx`select from credit.bucket where user_id = ${userId} for update`;
      await tx`select from api_key_months where user_id = ${userId} for update`;
      const acted = act({ userId, requestId });
      await expect.poll(() => countWaiting(sql())).toBe(1);
      const changed = confirm(link);
      await expect.poll(() => countWaiting(sql())).toBe(2);
      return { sent: { acted, changed } };
    });
    expect(await sent.acted).toBe(true);
    expect((await (await sent.changed).json()) as ConfirmedEmail).toEqual({ changed: true, email: newEmail });
  });
});
