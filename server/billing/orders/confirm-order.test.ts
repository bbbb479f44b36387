import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CheckoutAnswer } from '#contract/billing.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { IS_LONG } from '#test/runs.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

it.runIf(IS_LONG)(
  'a user who asks about an order without end leaves the questions of others, and is credited a minute later',
  async () => {
    const one = await shop.buyer();
    const { orderId } = (await (await one.begin('creem')).json()) as CheckoutAnswer;
    for (let times = 0; times < 50; times++) await one.receipt(orderId);
    const [asked] = await shop.sql`select count from rate_limits where key = 'questions:creem'`;
    // Forty of the user's, and what the jobs ask.
    expect(asked?.count).toBeLessThan(50);

    await one.pay('creem', orderId);
    expect((await one.receipt(orderId)).order.status).toBe('open');
    expect((await (await shop.buyer()).buy('creem')).order.status).toBe('paid');
    await shop.moveDays(1 / 24 / 30);
    expect((await one.receipt(orderId)).order.status).toBe('paid');
    expect(await one.balance()).toBe(540);
  },
);

it.runIf(IS_LONG)(
  'users who ask without end leave half of all questions to the jobs, which credit what is paid',
  async () => {
    const askers = await Promise.all(Array.from({ length: 4 }, () => shop.buyer()));
    await Promise.all(
      askers.map(async (asker) => {
        const { orderId } = (await (await asker.begin('creem')).json()) as CheckoutAnswer;
        for (let times = 0; times < 40; times++) await asker.receipt(orderId);
      }),
    );
    const [asked] = await shop.sql`select count from rate_limits where key = 'questions:creem'`;
    expect(asked?.count).toBeLessThan(150);

    const buyer = await shop.buyer();
    const { orderId } = (await (await buyer.begin('creem')).json()) as CheckoutAnswer;
    await buyer.pay('creem', orderId);
    shop.clock.moveTo(shop.clock.now().getTime() + 5_000);
    await expect.poll(buyer.balance).toBe(540);
  },
);
