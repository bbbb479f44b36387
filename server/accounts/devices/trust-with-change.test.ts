import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Enrolment } from '#contract/accounts/second-factor.ts';
import { newId } from '#server/platform/ids.ts';
import { codeOf } from '#test/accounts/second-factor.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { newAddressSubject } from '../email/confirm-email-change.ts';
import { createProof } from '../secrets/hash-proof.ts';
import { insertProof } from '../secrets/proof-store.ts';
import { replaceEmailChange } from '../users/email-store.ts';
import { insertMailedProof } from '../users/mailed-proof-store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const PASSWORD = 'correct horse';
const sql = () => app.database.database.sql;

/** Has each trust in a browser fail until the returned function is called. */
async function failTrust() {
  await sql()`
    create or replace function fail_trust() returns trigger language plpgsql as $$
    begin raise exception 'no browser is trusted'; end $$`;
  await sql()`create trigger fail_trust before insert on trusted_browsers for each row execute function fail_trust()`;
  return () => sql()`drop trigger fail_trust on trusted_browsers`;
}

/** Prepares a change, which is then made, and made again, by what is returned. */
type Prepare = (client: TestClient, userId: string) => Promise<() => Promise<Response>>;

const changePassword: Prepare = async (client) => () =>
  client.post('/api/me/password', { currentPassword: PASSWORD, newPassword: 'another one' });

const turnOn: Prepare = async (client) => {
  const { secret } = (await (await client.post('/api/me/second-factor/enrolment')).json()) as Enrolment;
  return () => client.post('/api/me/second-factor', { code: codeOf(secret, Date.now()) });
};

const changeAddress: Prepare = async (client, userId) => {
  const id = newId();
  const newEmail = `moved-${userId}@example.test`;
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { token, hash } = createProof();
  await replaceEmailChange(sql(), { id, userId, newEmail, expiresAt });
  await sql()`update email_changes set old_confirmed_at = now() where id = ${id}`;
  const subject = newAddressSubject(id, newEmail);
  await insertProof(sql(), { kind: 'email-change-new', hash, subject, expiresAt });
  return () => client.post('/api/auth/confirm-email-change', { token });
};

const resetPassword: Prepare = async (client, userId) => {
  const { token, hash } = createProof();
  const [user] = await sql()<{ email: string }[]>`select email from users where id = ${userId}`;
  const about = { kind: 'reset-password', userId, sentTo: user?.email ?? '', wayId: null } as const;
  const expiresAt = new Date(Date.now() + 3_600_000);
  expect(await insertMailedProof(sql(), { ...about, hash, expiresAt })).toBe(true);
  return () => client.post('/api/auth/reset-password', { token, newPassword: 'another one' });
};

const changes: [what: string, prepare: Prepare][] = [
  ['another password', changePassword],
  ['a second factor', turnOn],
  ['another address', changeAddress],
  ['a password that was reset', resetPassword],
];

it.each(changes)('%s comes with the trust in its browser, or not at all', async (_, prepare) => {
  const client = app.visit();
  const { userId } = await client.signUp({ password: PASSWORD });
  const change = await prepare(client, userId);
  const trustAgain = await failTrust();
  expect((await change()).status).toBe(500);
  await trustAgain();
  const changed = await change();
  expect(changed.ok).toBe(true);
  expect(changed.headers.getSetCookie().join()).toContain('parley.device=');
  expect(await sql()`select from trusted_browsers where user_id = ${userId}`).toHaveLength(1);
});
