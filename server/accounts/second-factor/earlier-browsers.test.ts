import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf, turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { FakeClock } from '#test/fake-clock.ts';

let app: TestApp;
const clock = new FakeClock();
beforeAll(async () => {
  app = await createTestApp({ clock });
});
afterAll(() => app.close());

const PASSWORD = 'correct horse';
const now = () => clock.now().getTime();
/** Passes half a minute, so that the next code is another one. */
const nextCode = (secret: string) => {
  clock.moveTo(now() + 30_000);
  return codeOf(secret, now());
};

async function giveCode(client: TestClient, email: string, code: string): Promise<number> {
  await client.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  return (await client.post('/api/auth/second-factor', { code })).status;
}

it('a browser that gave the password alone has the tries of strangers at codes, until it gives one', async () => {
  const [owner, early] = [app.visit(), app.visit()];
  const { email, userId } = await owner.signUp({ password: PASSWORD });
  await early.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  expect((await early.get('/api/me')).status).toBe(200);
  const { secret } = await turnOnSecondFactor(owner, now());
  const guess = async () => {
    for (let tries = 10; tries > 0; tries -= 1) await giveCode(app.visit(), email, '000000');
    expect(await giveCode(app.visit(), email, nextCode(secret))).toBe(429);
  };
  await guess();
  expect(await giveCode(early, email, nextCode(secret))).toBe(429);
  expect(await giveCode(owner, email, nextCode(secret))).toBe(200);
  await app.database.database.sql`delete from rate_limits where key like ${`code:${userId}%`}`;
  expect(await giveCode(early, email, nextCode(secret))).toBe(200);
  await guess();
  expect(await giveCode(early, email, nextCode(secret))).toBe(200);
  const moved = await turnOnSecondFactor(owner, now());
  expect(await giveCode(early, email, nextCode(moved.secret))).toBe(200);
});
