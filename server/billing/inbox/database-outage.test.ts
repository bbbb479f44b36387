import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckoutAnswer } from '#contract/billing.ts';
import { PROVIDERS } from '#contract/choices.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { SECRET } from '#test/billing/payment-emulator.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { type PostgresProxy, startPostgresProxy } from '#test/database/postgres-proxy.ts';
import { moveTime } from '#test/fake-clock.ts';

const MINUTE = 60_000;
const POLL = { interval: 100 };

describe.each(PROVIDERS)('the database is away for ten minutes while %s reports a payment', (name) => {
  let shop: Shop;
  let proxy: PostgresProxy;
  let app: TestApp;
  let userId: string;
  beforeAll(async () => {
    shop = await openShop();
    const buyer = await shop.buyer();
    userId = buyer.userId;
    const { orderId } = (await (await buyer.begin(name)).json()) as CheckoutAnswer;
    await shop.app.stop();
    proxy = await startPostgresProxy(shop.app.database.url);
    app = await createTestApp({
      beside: { ...shop.app, database: { ...shop.app.database, url: proxy.url } },
      clock: shop.clock,
      env: { ...shop.creem.env, ...shop.bagelpay.env },
    });
    await shop.worlds[name].control.act('webhook', { url: `${app.url}/webhooks/${name}`, secret: SECRET });
    proxy.down();
    await buyer.pay(name, orderId);
    await wait(10);
  });
  afterAll(async () => {
    await app.close();
    proxy.close();
    await expectNoDrift(shop.sql);
    await shop.close();
  });

  async function wait(minutes: number) {
    const { control } = shop.worlds[name];
    await moveTime(shop.clock, [control], shop.clock.now().getTime() + minutes * MINUTE, () =>
      control.settle(),
    );
  }
  const balance = () => readBalance({ database: shop.app.database.database, clock: shop.clock }, userId);

  it('each webhook is answered with 503, so that its provider comes again for as long as it does', async () => {
    const deliveries = await shop.worlds[name].control.webhooks();
    expect(deliveries.length).toBeGreaterThan(0);
    for (const { tries, state } of deliveries) {
      expect([...new Set(tries)]).toEqual([503]);
      expect([tries.length, state]).toEqual(name === 'creem' ? [3, 'waiting'] : [7, 'given-up']);
    }
    expect(await shop.sql`select from billing.inbox`).toHaveLength(0);
    expect(await balance()).toBe(40);
  });

  it('once it is back the payment is credited once, by asking, and a repetition that comes then changes nothing', async () => {
    proxy.up();
    await expect.poll(async () => (await app.visit().get('/readyz')).status, POLL).toBe(200);
    await expect.poll(balance, POLL).toBe(540);
    await wait(30);
    await expect.poll(balance, POLL).toBe(540);
    const rows = await shop.sql`select from billing.inbox`;
    expect(rows.length > 0).toBe(name === 'creem');
    await wait(30);
    const grants = await shop.sql`
      select amount from credit.bucket where user_id = ${userId} and kind = 'subscription'`;
    expect([...grants]).toEqual([{ amount: 500 }]);
    expect(await balance()).toBe(540);
  });
});
