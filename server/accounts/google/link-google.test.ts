import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import { newId } from '#server/platform/ids.ts';
import { startGoogle } from '#test/accounts/google.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { queueAtUser } from '#test/database/held-user.ts';
import { startMailbox } from '#test/mailbox.ts';
import { newAddressSubject } from '../email/confirm-email-change.ts';
import { createProof } from '../secrets/hash-proof.ts';
import { insertProof } from '../secrets/proof-store.ts';
import { replaceEmailChange } from '../users/email-store.ts';

let google: Awaited<ReturnType<typeof startGoogle>>;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let app: TestApp;
beforeAll(async () => {
  google = await startGoogle();
  mailbox = await startMailbox();
  app = await createTestApp({ env: { ...google.settings, ...mailbox.settings } });
});
afterAll(async () => {
  await app.close();
  await google.close();
  await mailbox.close();
});

let count = 0;
const newEmail = () => {
  count += 1;
  return `linked-${count}@gmail.test`;
};
const sql = () => app.database.database.sql;
const readMe = async (client: TestClient) => (await (await client.get('/api/me')).json()) as UserRecord;
const isIn = async (client: TestClient) => (await client.get('/api/me')).status === 200;

/** A change of a user's address that waits for both sides: the tokens of the links to the old and to the new address. */
async function plantChange(userId: string, newEmail: string): Promise<string[]> {
  const id = newId();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await replaceEmailChange(sql(), { id, userId, newEmail, expiresAt });
  const kinds = { 'email-change-old': id, 'email-change-new': newAddressSubject(id, newEmail) } as const;
  const tokens: string[] = [];
  for (const kind of ['email-change-old', 'email-change-new'] as const) {
    const { token, hash } = createProof();
    await insertProof(sql(), { kind, hash, subject: kinds[kind], expiresAt });
    tokens.push(token);
  }
  return tokens;
}

describe('an address that has an account', () => {
  it('is linked where the address is verified here, and the password stays good', async () => {
    const email = newEmail();
    const owner = app.visit();
    const { userId, password } = await owner.signUp({ email });
    await sql()`update users set email_verified = true where id = ${userId}`;
    const client = app.visit();
    await google.signIn(client, { email });
    expect((await readMe(client)).uid).toBe(userId);
    expect(await isIn(owner)).toBe(true);
    expect((await app.visit().post('/api/auth/sign-in/email', { email, password })).status).toBe(200);
  });
  it('and was never verified is taken from whoever opened the account: password, sessions and keys are void (CVE-2026-53516, GHSA-g38m-r43w-p2q7, GHSA-qq9h-g4jm-xgf3)', async () => {
    const email = newEmail();
    const attacker = app.visit();
    const { userId, password } = await attacker.signUp({ email });
    const key = await attacker.post('/api/keys', { name: 'door' });
    expect(key.status).toBeLessThan(300);
    await sql()`insert into verifications (id, identifier, value, expires_at)
                values (gen_random_uuid(), 'reset-password:planted', ${userId}, now() + interval '1 hour')`;
    const owner = app.visit();
    await google.signIn(owner, { email });
    expect(await readMe(owner)).toMatchObject({ uid: userId, credits: 40 });
    await expect.poll(() => isIn(attacker)).toBe(false);
    expect((await app.visit().post('/api/auth/sign-in/email', { email, password })).status).toBe(401);
    expect(await sql()`select from api_keys where user_id = ${userId} and revoked_at is null`).toHaveLength(
      0,
    );
    expect(await sql()`select from verifications where identifier = 'reset-password:planted'`).toHaveLength(
      0,
    );
    await mailbox.waitFor(email, 1, /账号原来的登录方式已作废/);
    expect(await sql()`select email_verified from users where id = ${userId}`).toMatchObject([
      { email_verified: true },
    ]);
  });

  it('is not linked where Google does not vouch for it', async () => {
    const email = newEmail();
    const owner = app.visit();
    const { password } = await owner.signUp({ email });
    expect(await google.signIn(app.visit(), { email, verified: false })).toMatch(/google=unverified$/);
    expect(await isIn(owner)).toBe(true);
    expect((await app.visit().post('/api/auth/sign-in/email', { email, password })).status).toBe(200);
  });

  it('of an account that is being deleted is told so, connected before or not', async () => {
    const [connected, addressed] = [newEmail(), newEmail()];
    await google.signIn(app.visit(), { email: connected });
    await app.visit().signUp({ email: addressed });
    await sql()`update users set leaving_at = now() where email in (${connected}, ${addressed})`;
    for (const email of [connected, addressed]) {
      const client = app.visit();
      expect(await google.signIn(client, { email })).toBe(
        '/zh/login?next=%2Fzh%2Fchat&google=account_leaving',
      );
      expect(await isIn(client)).toBe(false);
    }
    expect(
      await sql()`select from identities i join users u on u.id = i.user_id
                        where u.email = ${addressed} and i.provider_id = 'google'`,
    ).toHaveLength(0);
  });

  it('is linked to no account that has another address by the time the account is locked', async () => {
    const email = newEmail();
    const owner = app.visit();
    const { userId } = await owner.signUp({ email });
    await sql()`update users set email_verified = true where id = ${userId}`;
    const former = app.visit();
    const callback = await google.leave(former, {}, { email });
    const moved = newEmail();
    const links = await plantChange(userId, moved);
    await owner.post('/api/auth/confirm-email-change', { token: links[0] });
    const [change, back] = await queueAtUser(sql(), userId, [
      () => owner.post('/api/auth/confirm-email-change', { token: links[1] }),
      () => former.get(callback),
    ]);
    expect(await change?.json()).toMatchObject({ changed: true, email: moved });
    expect(back?.headers.get('location')).toMatch(/google=failed$/);
    expect(await isIn(former)).toBe(false);
    expect(await google.signIn(former, { email })).toBe('/zh/chat');
    expect((await readMe(former)).uid).not.toBe(userId);
  });

  it('becomes one user of two callbacks at once', async () => {
    const email = newEmail();
    const clients = [app.visit(), app.visit(), app.visit()];
    const callbacks = await Promise.all(clients.map((client) => google.leave(client, {}, { email })));
    await Promise.all(clients.map((client, at) => client.get(callbacks[at] ?? '')));
    const users = await Promise.all(clients.map(readMe));
    expect(new Set(users.map(({ uid }) => uid)).size).toBe(1);
    expect(users[0]?.credits).toBe(40);
  });
});
