import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestClient } from '#test/client.ts';
import { createMailingApp, type MailingApp } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';

let app: MailingApp;
beforeAll(async () => {
  app = await createMailingApp();
});
afterAll(() => app.close());

const CONFIRM = /\/confirm-email#token=([\w-]+)/;
const STOP = /\/confirm-email#stop=/;

async function register() {
  const user = app.visit();
  return { user, ...(await user.signUp()) };
}

it.runIf(IS_LONG)(
  'strangers who ask for an address use up nothing of its owner, and its mailbox gets three mails',
  async () => {
    const newEmail = 'wanted@example.test';
    for (let left = 4; left > 0; left -= 1) {
      const { user } = await register();
      expect((await user.post('/api/me/email', { email: newEmail })).status).toBe(202);
      await user.delete('/api/me/email/change');
      expect((await user.post('/api/me/email', { email: newEmail })).status).toBe(202);
    }
    const { email, user } = await register();
    expect((await user.post('/api/me/email', { email: newEmail })).status).toBe(202);
    const [asked] = await app.mailbox.waitFor(email, 1, STOP);
    const { sql } = app.database.database;
    const waiting = () => sql`select from mails where to_address = ${newEmail} and ended_at is null`;
    await expect.poll(waiting).toHaveLength(0);
    const mails = await app.mailbox.list(newEmail, CONFIRM);
    expect(mails).toHaveLength(3);
    const token = CONFIRM.exec(mails[0]?.text ?? '')?.[1];
    const own = CONFIRM.exec(asked?.text ?? '')?.[1];
    expect((await app.visit().post('/api/auth/confirm-email-change', { token })).status).toBe(403);
    expect((await user.post('/api/auth/confirm-email-change', { token })).status).toBe(200);
    const changed = await user.post('/api/auth/confirm-email-change', { token: own });
    expect(await changed.json()).toEqual({ changed: true, email: newEmail });
  },
);

it('the mails to old addresses of one mailbox are bounded too, however it is spelled, until it is proved', async () => {
  const ask = (user: TestClient) => user.post('/api/me/email', { email: 'elsewhere@example.test' });
  const users: TestClient[] = [];
  for (let tag = 1; tag <= 7; tag += 1) {
    const user = app.visit();
    await user.signUp({ email: `old+${tag}@example.test` });
    users.push(user);
  }
  const statuses: number[] = [];
  for (const user of users) statuses.push((await ask(user)).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 202, 429]);
  const { sql } = app.database.database;
  await sql`update users set email_verified = true where email = 'old+7@example.test'`;
  const last = users.at(-1);
  expect(last && (await ask(last)).status).toBe(202);
});
