import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

const POLL = { interval: 50 };

describe.each([
  ['creem', 'scheduled_cancel'],
  ['bagelpay', 'canceled'],
] as const)('a subscription at %s that must not be charged again', (provider, ended) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ webhooks: true });
  });
  afterAll(async () => {
    await expectNoDrift(shop.sql);
    await shop.close();
  });

  async function upgraded() {
    const buyer = await shop.buyer();
    const basic = await buyer.buy(provider, 'gemini_basic');
    return { ...buyer, basic: basic.order.id };
  }

  async function statusAt(orderId: string) {
    const { checkouts, subscriptions } = await shop.worlds[provider].control.ledger();
    const checkout = checkouts.find(({ requestId }) => requestId === orderId);
    return subscriptions.find(({ checkoutId }) => checkoutId === checkout?.id)?.status;
  }

  const wanted = (userId: string) => shop.sql`
    select reason, done_at is not null as done, error is not null as failed
      from billing.cancellations where user_id = ${userId}`;

  it('is cancelled there when another plan replaces it; its plan and credits stay', async () => {
    const buyer = await upgraded();
    await buyer.buy(provider, 'gemini_pro');
    await expect.poll(() => statusAt(buyer.basic), POLL).toBe(ended);
    await expect
      .poll(() => wanted(buyer.userId), POLL)
      .toEqual([{ reason: 'replaced', done: true, failed: false }]);
    expect(await buyer.balance()).toBe(2_040);
    const { subscriptions } = await buyer.status();
    expect(subscriptions.filter(({ active }) => active)).toHaveLength(2);
    expect(subscriptions.filter(({ renews }) => renews)).toHaveLength(1);
  });

  it('is asked for again while its provider is away', async () => {
    const buyer = await upgraded();
    await shop.worlds[provider].control.apiFault({ status: 503, match: '/cancel' });
    await buyer.buy(provider, 'gemini_pro');
    await expect.poll(() => statusAt(buyer.basic), POLL).toBe(ended);
    await expect
      .poll(() => wanted(buyer.userId), POLL)
      .toEqual([{ reason: 'replaced', done: true, failed: false }]);
    const [tried] = await shop.sql`select tries from billing.cancellations where user_id = ${buyer.userId}`;
    expect(tried).toEqual({ tries: 2 });
  });

  it('counts as done when the customer has cancelled it at the provider meanwhile', async () => {
    const buyer = await upgraded();
    const { control } = shop.worlds[provider];
    const { subscriptions } = await control.ledger();
    await control.webhookFault('drop', { times: null, match: 'subscription.' });
    await control.act('cancel', { subscription: subscriptions.at(-1)?.id });
    await control.clearFaults();
    await buyer.buy(provider, 'gemini_pro');
    await expect
      .poll(() => wanted(buyer.userId), POLL)
      .toEqual([{ reason: 'replaced', done: true, failed: false }]);
    expect(await statusAt(buyer.basic)).toBe('canceled');
  });
});
