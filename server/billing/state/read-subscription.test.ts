import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import { subscriptionSchema } from '#contract/billing.ts';
import type { Catalogue } from '#contract/catalogue.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { insertSubscription } from '#test/factories.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
let now = NOW;
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: { now: () => now, databaseTime: () => null } });
});
afterAll(() => app.close());

const readMe = async (client: TestClient) => (await (await client.get('/api/me')).json()) as UserRecord;
async function allowedTo(client: TestClient) {
  const { models } = (await (await client.get('/api/catalogue')).json()) as Catalogue;
  return models.filter((model) => model.allowed).map((model) => model.id);
}

describe('a subscription', () => {
  it('shows in the user record and unlocks its models, until the moment it expires', async () => {
    const user = await app.signedIn();
    const expiresAt = new Date(NOW.getTime() + 1000);
    await insertSubscription(app.database.database.sql, user.userId, {
      cycle: 'annual',
      provider: 'bagelpay',
      expiresAt,
    });
    const { subscription } = await readMe(user);
    expect(subscriptionSchema.parse(subscription)).toEqual({
      planKey: 'gemini_pro',
      active: true,
      cycle: 'annual',
      provider: 'bagelpay',
      includesComputerUse: true,
      expiresAt: expiresAt.getTime(),
      updatedAt: expect.any(Number),
    });
    expect(await allowedTo(user)).toContain('gemini-computer-use');
    now = expiresAt;
    expect(await allowedTo(user)).toEqual(['parley-flash', 'gemini-2.5-flash-lite']);
    expect((await readMe(user)).subscription).toEqual(subscription);
    now = NOW;
  });

  it('of one user unlocks nothing for another, nor for a visitor', async () => {
    const [payer, other] = [await app.signedIn(), await app.signedIn()];
    await insertSubscription(app.database.database.sql, payer.userId, {
      planKey: 'gemini_basic',
      expiresAt: null,
    });
    expect(await allowedTo(payer)).toHaveLength(5);
    expect((await readMe(payer)).subscription).toMatchObject({ includesComputerUse: false, expiresAt: null });
    expect(await allowedTo(other)).toHaveLength(2);
    expect(await allowedTo(app.visit())).toHaveLength(2);
    expect((await readMe(other)).subscription).toBeNull();
  });

  it('that is not active is no plan', async () => {
    const user = await app.signedIn();
    await insertSubscription(app.database.database.sql, user.userId, { active: false });
    expect(await allowedTo(user)).toHaveLength(2);
    expect((await readMe(user)).subscription).toMatchObject({ active: false });
  });
});
