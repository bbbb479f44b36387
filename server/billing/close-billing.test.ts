import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { openBilling } from '#test/billing/billing.ts';
import { paymentFact, subscriptionFact } from '#test/billing/world.ts';
import { closeBilling } from './close-billing.ts';
import { closeOrder } from './orders/close-order.ts';
import type { Fact } from './providers/facts.ts';
import { ProviderError } from './providers/provider-error.ts';

describe('a subscription that its provider does not end, of an account that is deleted', () => {
  let world: Awaited<ReturnType<typeof openBilling>>;
  beforeAll(async () => {
    world = await openBilling();
  });
  afterAll(() => world.drop());

  /** Someone who leaves with a subscription that is `expired` as of now. */
  async function leaver(isPaid: boolean) {
    const { userId, order } = await world.buyer();
    const placed = await order();
    await closeOrder(world.deps, placed, 'expired');
    const now = world.clock.time;
    const expired = subscriptionFact(placed, 'expired', now.getTime(), { orderId: placed.id, mode: null });
    await world.tell('creem', expired, ...(isPaid ? [paymentFact(placed)] : []));
    await world.sql`update users set leaving_at = ${now} where id = ${userId}`;
    return { userId, expired };
  }

  /** Goes on with the deletion at a provider that refuses to cancel and says again what it said. */
  function close({ userId, expired }: Awaited<ReturnType<typeof leaver>>, isConfigured = true) {
    const { creem } = world.deps.providers;
    if (!creem) throw new Error('no provider');
    const told: Fact[] = [expired];
    const played: typeof creem = {
      ...creem,
      fetchSubscription: async () => told,
      cancelSubscription: async () => {
        throw new ProviderError('creem', 'refused', 400, 'it is expired');
      },
    };
    const providers = isConfigured ? { creem: played } : {};
    return closeBilling({ ...world.deps, providers }, userId);
  }

  it.each([
    ['refuses to', true],
    ['is not configured any more', false],
  ])('holds the deletion for 30 days where nothing was paid and it %s', async (_, isConfigured) => {
    const leaving = await leaver(false);
    const held = `creem has not ended ${leaving.expired.subscriptionId}`;
    expect(await close(leaving, isConfigured)).toBe(held);
    world.clock.time = new Date(world.clock.time.getTime() + 30 * DAY_MS - HOUR_MS);
    expect(await close(leaving, isConfigured)).toBe(held);
    world.clock.moveDays(1 / 12);
    expect(await close(leaving, isConfigured)).toBeNull();
  });

  it('holds the deletion also later where something was paid', async () => {
    const leaving = await leaver(true);
    world.clock.moveDays(90);
    expect(await close(leaving)).toBe(`creem has not ended ${leaving.expired.subscriptionId}`);
  });
});
