import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetrics } from '#server/platform/metrics.ts';
import { openBilling } from '#test/billing/billing.ts';
import { SECRET, startPayments, startReceiver } from '#test/billing/payment-emulator.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { Crash, CrashingSql } from '#test/database/crashing-sql.ts';
import { inTurn } from '#test/runs.ts';
import { createProviders } from '../create-providers.ts';
import { saveCheckout } from '../state/order-store.ts';
import { leaseInbox, processInbox } from './process-inbox.ts';
import { receiveWebhook } from './receive-webhook.ts';

type World = Awaited<ReturnType<typeof openShopWithoutServer>>;

async function openShopWithoutServer() {
  const [world, receiver, creem] = [
    await openBilling({ now: new Date() }),
    await startReceiver(),
    await startPayments('creem'),
  ];
  await creem.control.act('webhook', { url: receiver.url, secret: SECRET });
  const { log, database } = world.deps;
  const metrics = createMetrics();
  const deps = {
    ...world.deps,
    metrics,
    providers: createProviders({ creem: creem.settings, bagelpay: null }, log),
  };
  const provider = deps.providers.creem;
  if (!provider) throw new Error('creem is configured');

  /** A new user's paid order, and the webhooks of it as they came. */
  async function purchase() {
    const buyer = await world.buyer();
    const productId = creem.settings.products.gemini_basic.monthly;
    const order = await buyer.order({ productId });
    const request = { orderId: order.id, productId, userEmail: null, successUrl: 'http://127.0.0.1/' };
    const session = await provider?.createCheckout({ ...request, metadata: { user_id: buyer.userId } });
    if (!session) throw new Error('no checkout');
    await world.sql`update billing.orders set checkout_id = null where id = ${order.id}`;
    await saveCheckout(world.sql, order.id, session);
    receiver.received.length = 0;
    await creem.control.act('pay', { checkout: session.checkoutId, email: `${buyer.userId}@example.test` });
    await creem.control.settle();
    return { ...buyer, webhooks: [...receiver.received] };
  }

  /** Everything from the arrival of webhooks to their end; throws what interrupts it. */
  async function handle(webhooks: Awaited<ReturnType<typeof purchase>>['webhooks'], sql = database.sql) {
    const on = { ...deps, database: { ...database, sql } };
    for (const { headers, raw } of webhooks) await receiveWebhook(on, creemProvider, headers, raw);
    for (
      let rows = await leaseInbox(on, 'creem', 10);
      rows.length > 0;
      rows = await leaseInbox(on, 'creem', 10)
    )
      for (const row of rows) await processInbox(on, row);
  }

  const creemProvider = provider;
  async function close() {
    await expectNoDrift(world.sql);
    await Promise.all([world.drop(), creem.close(), receiver.close()]);
  }
  return { ...world, purchase, handle, close };
}

let world: World;
beforeAll(async () => {
  world = await openShopWithoutServer();
});
afterAll(() => world.close());

it('a payment interrupted at any step, and told again, ends as one that was not', async () => {
  const shape = async (buyer: Awaited<ReturnType<World['purchase']>>) => {
    const [grants, subscription] = [
      await world.sql`
      select amount, available from credit.bucket where user_id = ${buyer.userId} and kind = 'subscription'`,
      await buyer.subscription(),
    ];
    const inbox =
      await world.sql`select status, count(*)::int from billing.inbox where user_id = ${buyer.userId} group by 1`;
    return { grants, state: subscription?.state, inbox, balance: await buyer.balance() };
  };
  const whole = await world.purchase();
  const counting = new CrashingSql(world.sql);
  await world.handle(whole.webhooks, counting.sql);
  const expected = await shape(whole);
  expect(expected).toMatchObject({
    state: 'active',
    balance: 540,
    grants: [{ amount: 500, available: 500 }],
  });
  expect(counting.steps).toBeGreaterThan(30);
  const steps = Array.from({ length: counting.steps }, (_, index) => index + 1);
  for (const step of inTurn(steps, 0, 6)) {
    const buyer = await world.purchase();
    await world.handle(buyer.webhooks, new CrashingSql(world.sql, step).sql).catch((error) => {
      if (!(error instanceof Crash)) throw error;
    });
    world.clock.moveDays(1 / 24);
    await world.handle(buyer.webhooks);
    expect(await shape(buyer), `after a crash before step ${step}`).toEqual(expected);
  }
});
