import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlayedShop, type PlayedShop } from '#test/lives/played-shop.ts';
import { readBilling } from '../state/read-billing.ts';

const BOUGHT = Date.parse('2028-01-31T09:30:00Z');
const clock = {
  time: BOUGHT,
  now: () => new Date(clock.time),
  databaseTime: () => new Date(clock.time),
};
let shop: PlayedShop;
beforeAll(async () => {
  shop = await openPlayedShop(clock);
});
afterAll(() => shop.close());

describe('lists of BagelPay that do not show yet what was just bought', () => {
  it('leave a charge without its subscription only until they show it', async () => {
    const { played } = shop.served.bagelpay;
    const buyer = await shop.buyer('bagelpay', clock.now());
    played.clock.hold(clock.time);
    await buyer.scene.order('a');
    played.lag();
    buyer.scene.pay('a');
    const [completed] = played.events.filter(({ label }) => label.startsWith('checkout.completed'));
    if (completed) await shop.post('bagelpay', completed);
    await shop.settle();
    const known = async () => (await readBilling(shop.app.deps, buyer.userId)).projection.subscriptions;
    expect(await known()).toMatchObject([{ state: 'active', subscriptionId: null }]);

    played.catchUp();
    clock.time += 60_000;
    await shop.ask();
    const [subscription] = played.ledger.subscriptions;
    await expect.poll(known).toMatchObject([{ state: 'active', subscriptionId: subscription?.id }]);
    expect(await buyer.end()).toEqual({
      plan: 'gemini_basic active 2028-02-29',
      orders: { a: 'paid' },
      credits: ['a 2028-02-29 500/500'],
    });
  });
});
