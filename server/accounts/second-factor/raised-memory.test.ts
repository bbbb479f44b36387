import { afterAll, beforeAll, expect, it } from 'vitest';
import { turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { createTestApp, type TestApp } from '#test/app.ts';

let app: TestApp;
/** Of the same database, with more memory for each hash. */
let raised: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  raised = await createTestApp({ beside: app, env: { PASSWORD_HASH_MEMORY_KIB: '16' } });
});
afterAll(async () => {
  await raised.close();
  await app.close();
});

const PASSWORD = 'correct horse';

async function enrolled() {
  const client = app.visit();
  const { email, userId } = await client.signUp({ password: PASSWORD });
  const { recoveryCodes } = await turnOnSecondFactor(client, Date.now());
  return { client, email, userId, recoveryCodes };
}

/** Signs in by the password and a recovery code; returns the status of the second step. */
async function signInBy(code: string | undefined, email: string, at: TestApp) {
  const client = at.visit();
  await client.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  return (await client.post('/api/auth/second-factor', { code })).status;
}

it('recovery codes stay good when hashing takes more memory than they were made with', async () => {
  const { client, email, recoveryCodes } = await enrolled();
  expect(await signInBy(recoveryCodes[0], email, raised)).toBe(200);
  expect(await signInBy(recoveryCodes[0], email, raised)).toBe(422);
  const elsewhere = raised.visit({ cookie: client.cookie });
  const renewed = await elsewhere.post('/api/me/second-factor/recovery-codes');
  const fresh = ((await renewed.json()) as { recoveryCodes: string[] }).recoveryCodes;
  expect(await signInBy(recoveryCodes[1], email, raised)).toBe(422);
  expect(await signInBy(fresh[0], email, raised)).toBe(200);
  expect(await signInBy(fresh[1], email, app)).toBe(200);
});

it('recovery codes that are older than the note of their memory are verified with what is set', async () => {
  const { email, userId, recoveryCodes } = await enrolled();
  await app.database.database.sql`
    update second_factors set recovery_memory_kib = null where user_id = ${userId}`;
  expect(await signInBy(recoveryCodes[0], email, app)).toBe(200);
});
