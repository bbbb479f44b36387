import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProof } from '#server/accounts/secrets/hash-proof.ts';
import { insertMailedProof, type MailedKind } from '#server/accounts/users/mailed-proof-store.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { send, waitForEnd } from '#test/chat/chat.ts';
import { queueAtUser } from '#test/database/held-user.ts';

let app: TestApp;
let beside: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  beside = await createTestApp({ beside: app });
});
afterAll(async () => {
  await beside.close();
  await app.close();
});

const sql = () => app.database.database.sql;

/** A user, the same browser at the other process, and a link that was mailed to the user. */
async function signUp(kind: MailedKind, { verified }: { verified: boolean }) {
  const client = app.visit();
  const { userId, email } = await client.signUp();
  await sql()`update users set email_verified = ${verified} where id = ${userId}`;
  const { token, hash } = createProof();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await insertMailedProof(sql(), { kind, hash, userId, sentTo: email, wayId: null, expiresAt });
  const leave = () => beside.visit({ cookie: client.cookie }).post('/api/me/delete', { email });
  return { client, userId, email, token, leave };
}

describe('a deletion that is asked for', () => {
  it('by a thief while the owner takes the account back does not begin, and nothing is lost', async () => {
    const { client, userId, email, token, leave } = await signUp('reset-password', { verified: true });
    const { id } = await send(client, { content: 'Words of the owner' });
    await waitForEnd(client, id);
    const newPassword = 'a new password';
    const [reset, deletion] = await queueAtUser(sql(), userId, [
      () => app.visit().post('/api/auth/reset-password', { token, newPassword }),
      leave,
    ]);
    expect(reset?.status).toBe(200);
    expect([deletion?.status, await deletion?.json()]).toMatchObject([
      401,
      { error: { code: 'unauthenticated' } },
    ]);
    const owner = app.visit();
    expect((await owner.post('/api/auth/sign-in/email', { email, password: newPassword })).status).toBe(200);
    expect((await owner.get(`/api/messages/${id}`)).status).toBe(200);
    expect(
      await sql()`select from credit.account where user_id = ${userId} and frozen_at is null`,
    ).toHaveLength(1);
  });

  it('while the address is verified begins after it: neither waits for the other in a circle', async () => {
    const { client, userId, token, leave } = await signUp('verify-email', { verified: false });
    const [verification, deletion] = await queueAtUser(sql(), userId, [
      () => client.post('/api/auth/verify-email', { token }),
      leave,
    ]);
    expect(verification?.status).toBe(200);
    expect(await deletion?.json()).toEqual({ state: 'deleted' });
  });
});
