import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBilling } from '#test/billing.ts';
import { checkoutFact, paymentFact } from '#test/billing-world.ts';
import { expectNoDrift } from '#test/ledger.ts';

describe.each([18, 15] as const)('applyFacts on PostgreSQL %i', (version) => {
  let world: Awaited<ReturnType<typeof openBilling>>;

  beforeAll(async () => {
    world = await openBilling({ version });
  });
  afterAll(async () => {
    await expectNoDrift(world.sql);
    await world.drop();
  });

  it('grants one paid period once, pays the order, starts the plan and tells the tabs', async () => {
    const buyer = await world.buyer();
    const order = await buyer.order({ planKey: 'gemini_pro' });
    const told = await world.tell('creem', checkoutFact(order), paymentFact(order));
    expect(told).toEqual({ userIds: [buyer.userId] });
    expect(await buyer.balance()).toBe(1_540);
    expect(await buyer.subscription()).toMatchObject({
      plan_key: 'gemini_pro',
      state: 'active',
      active: true,
    });
    expect(buyer.news).toMatchObject([
      { type: 'credits', credits: 1_540 },
      { type: 'subscription', planKey: 'gemini_pro', active: true },
      { type: 'order', id: order.id, status: 'paid', confirming: false, priceUSD: 11.9 },
    ]);
  });
});
