import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LedgerPage } from '#contract/credits.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { startMailbox } from '#test/mailbox.ts';

const PASSWORD = 'the old password';

let app: TestApp;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
beforeAll(async () => {
  mailbox = await startMailbox();
  app = await createTestApp({
    env: { ...mailbox.settings, TRUST_PROXY: '1', VERIFIED_EMAIL_REQUIRED: 'true' },
  });
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;
const withheld = async (user: TestClient) =>
  ((await (await user.get('/api/credits/entries')).json()) as LedgerPage).freeWithheld;

it('mails of one mailbox are counted together, whichever account it is that asks, also one that was deleted', async () => {
  const name = 'flooded@example.test';
  const spellings = Array.from({ length: 8 }, (_, index) => name.replace('@', `+${index}@`));
  const users: TestClient[] = [];
  for (const [index, email] of spellings.entries()) {
    const user = app.visit({ headers: { 'x-forwarded-for': `198.51.${index}.1` } });
    await user.signUp({ email, password: PASSWORD });
    users.push(user);
  }
  const { sql } = app.database.database;
  const [mails] = await sql<{ count: number }[]>`
    select count(*)::int as count from mails where template = 'verify_email' and to_address = any(${spellings})`;
  expect(mails).toEqual({ count: 6 });
  expect(await codeOf((await users.at(-1)?.post('/api/me/email/verification')) as Response)).toBe(
    'rate_limited',
  );
  const keys = await sql<{ key: string }[]>`select key from rate_limits where key like 'mail:%'`;
  expect(keys.length).toBeGreaterThan(0);
  for (const { key } of keys) expect(key).toMatch(/^mail:verify_email:[0-9a-f]{64}$/);
});

it('who has paid is not asked to verify for free credits that a plan stands in for', async () => {
  const user = app.visit();
  const { userId } = await user.signUp({ email: 'payer@example.test', password: PASSWORD });
  expect(await withheld(user)).toBe('unverified');
  const { sql } = app.database.database;
  const pause = (days: number) =>
    sql`select credit.pause_free_months(${userId}, now() + ${days} * interval '1 day')`;
  await pause(30);
  expect(await withheld(user)).toBeUndefined();
  await pause(-1);
  expect(await withheld(user)).toBe('unverified');
});
