import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMailingApp, type MailingApp } from '#test/mailbox.ts';

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

it('strangers who ask for an address use up nothing of its owner, and its mailbox gets three mails', async () => {
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
});
