import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CheckoutAnswer } from '#contract/billing.ts';
import { PROVIDERS } from '#contract/choices.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import { SECRET } from '#test/billing/payment-emulator.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { compareOrder } from '../compare-order.ts';
import { parseFact } from '../facts/fact-rules.ts';
import { closeOrder } from '../orders/close-order.ts';
import type { Fact } from '../providers/facts.ts';
import { applyFacts } from '../state/apply-facts.ts';
import { findAnyOrder } from '../state/order-store.ts';
import { leasePolls } from '../state/poll-store.ts';
import { readBilling } from '../state/read-billing.ts';
import { readBillingStatus } from '../subscriptions/read-billing-status.ts';
import { reconcileAccount } from './reconcile-account.ts';
import { reconcileProvider } from './reconcile-provider.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(async () => {
  for (const { control } of Object.values(shop.worlds)) await control.clearFaults();
});
afterAll(() => shop.close());

type Buyer = Awaited<ReturnType<Shop['buyer']>>;

/** A checkout that is paid, and its tab closed. */
async function payAndLeave(
  buyer: Buyer,
  name: (typeof PROVIDERS)[number],
  planKey = 'gemini_basic',
  cycle = 'monthly',
) {
  const { orderId } = (await (await buyer.begin(name, planKey, cycle)).json()) as CheckoutAnswer;
  await buyer.pay(name, orderId);
  return orderId;
}
const ordersOf = async (buyer: Buyer) =>
  shop.sql<
    { status: string }[]
  >`select status from billing.orders where user_id = ${buyer.userId} order by created_at`;
const quarantineOf = async (userId: string) => {
  return (await readBilling(shop.app.deps, userId)).projection.quarantine.map(({ reason }) => reason);
};
/** Asks about one user now, as the job does in its turn. */
async function ask({ userId }: Buyer) {
  await shop.sql`delete from rate_limits where key like 'confirm:%'`;
  const lease = new Date(shop.clock.now().getTime() + 120_000);
  for (const name of PROVIDERS) {
    await shop.sql`
      insert into billing.polls (provider, user_id, ask_at) values (${name}, ${userId}, ${lease})
      on conflict (provider, user_id) do update set ask_at = excluded.ask_at`;
    await reconcileAccount(shop.app.deps, name, { userId, askedTimes: 0, lease });
  }
}
const askAtOf = async (buyer: Buyer) => {
  const [row] = await shop.sql<{ askAt: Date }[]>`
    select min(ask_at) as "askAt" from billing.polls where user_id = ${buyer.userId}`;
  return row?.askAt ?? null;
};
const providerOf = (own: Shop, name: (typeof PROVIDERS)[number]) => {
  const provider = own.app.deps.providers[name];
  if (!provider) throw new Error('no provider');
  return provider;
};

describe.each(PROVIDERS)('with every webhook of %s lost', (name) => {
  it('a paid order of a buyer who closed the tab is credited by the job after five seconds', async () => {
    const buyer = await shop.buyer();
    await payAndLeave(buyer, name);
    shop.clock.moveTo(shop.clock.now().getTime() + 5_000);
    await expect.poll(() => buyer.balance(), { timeout: 60_000, interval: 100 }).toBe(540);
    expect(await buyer.status()).toMatchObject({ planKey: 'gemini_basic', active: true, state: 'active' });
    await expectNoDrift(shop.sql, buyer.userId);
  });

  it('an open order is asked about again and again, and closed when its checkout is over', async () => {
    const buyer = await shop.buyer();
    const { orderId } = (await (await buyer.begin(name)).json()) as CheckoutAnswer;
    await ask(buyer);
    const pause = Number(await askAtOf(buyer)) - shop.clock.now().getTime();
    expect(pause).toBeLessThanOrEqual(4_000);
    await shop.sql`
      update billing.orders set created_at = created_at - interval '26 hours',
             checkout_expires_at = checkout_expires_at - interval '26 hours' where id = ${orderId}`;
    await shop.worlds[name].control.apiFault({ status: 503, times: null });
    await ask(buyer);
    expect(await ordersOf(buyer)).toEqual([{ status: 'open' }]);
    await shop.worlds[name].control.clearFaults();
    await ask(buyer);
    expect(await ordersOf(buyer)).toEqual([{ status: 'abandoned' }]);
    expect(await askAtOf(buyer)).toBeNull();
  });

  it('an order that was given up and is paid all the same is credited', async () => {
    const buyer = await shop.buyer();
    const orderId = await payAndLeave(buyer, name);
    const order = await findAnyOrder(shop.sql, orderId);
    if (!order) throw new Error('no order');
    await closeOrder(shop.app.deps, order, 'expired');
    expect(await ordersOf(buyer)).toEqual([{ status: 'abandoned' }]);
    await reconcileProvider(shop.app.deps, providerOf(shop, name));
    expect(await ordersOf(buyer)).toEqual([{ status: 'paid' }]);
    expect(await buyer.balance()).toBe(540);
  });

  it('a daily look at everything finds a purchase, a refund and nothing twice', async () => {
    const buyer = await shop.buyer();
    await payAndLeave(buyer, name, 'gemini_pro');
    const provider = providerOf(shop, name);
    await shop.sql`delete from billing.polls where user_id = ${buyer.userId}`;
    await reconcileProvider(shop.app.deps, provider);
    expect(await buyer.balance()).toBe(1540);
    const { customers, transactions } = await shop.worlds[name].control.ledger();
    const customer = customers.find(({ email }) => email === buyer.email)?.id;
    const charge = transactions.find(({ customerId }) => customerId === customer);
    await shop.worlds[name].control.act('refund', { transaction: charge?.id });
    await reconcileProvider(shop.app.deps, provider);
    await reconcileProvider(shop.app.deps, provider);
    expect(await buyer.balance()).toBe(40);
    expect(await ordersOf(buyer)).toEqual([{ status: 'refunded' }]);
    await expectNoDrift(shop.sql, buyer.userId);
  });

  it('what is known of a deleted account, whose buyer was erased, is not new to a review nor to an operator', async () => {
    const buyer = await shop.buyer();
    const orderId = await payAndLeave(buyer, name);
    const { deps } = shop.app;
    await compareOrder(deps, orderId, async () => {});
    await reconcileProvider(deps, providerOf(shop, name), 'recent', { pauseMs: 0 });
    /** Pages after which a review of what is newer than any charge goes on. */
    const countPages = async () => {
      let pages = 0;
      const onPage = async () => {
        pages += 1;
      };
      const readTo = new Date(shop.clock.now().getTime() + 3_600_000);
      await reconcileProvider(deps, providerOf(shop, name), 'new', { pauseMs: 0, readTo, onPage });
      return pages;
    };
    expect(await countPages()).toBe(0);
    const erased = await shop.sql`
      update billing.facts set fact = jsonb_set(fact, '{customerEmail}', 'null')
       where user_id = ${buyer.userId} and fact ->> 'customerEmail' is not null`;
    expect(erased.count).toBeGreaterThan(0);
    expect(await countPages()).toBe(0);
    const { answered } = await compareOrder(deps, orderId);
    expect(answered.filter(({ isKnown }) => !isKnown)).toEqual([]);
  });

  it('questions are taken by one process at a time', async () => {
    const buyers = await Promise.all([shop.buyer(), shop.buyer(), shop.buyer()]);
    for (const buyer of buyers) await buyer.begin(name);
    const at = new Date(shop.clock.now().getTime() + 60_000);
    const taken = (
      await Promise.all([1, 2, 3].map(() => leasePolls(shop.sql, name, at, 60_000, 100)))
    ).flat();
    const ids = taken.map(({ userId }) => userId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { userId } of buyers) expect(ids).toContain(userId);
  });
});

describe('a charge of BagelPay, which names no order,', () => {
  /** A charge on the order's product for whoever the page was opened for, without our checkout. */
  async function strangePurchase(email: string, productId: string) {
    const { baseUrl, apiKey } = shop.bagelpay.settings;
    const response = await fetch(`${baseUrl}/api/payments/checkouts`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ product_id: productId, units: '1', customer: { email } }),
    });
    const { data } = (await response.json()) as { data: { payment_id: string } };
    await shop.bagelpay.control.act('pay', { checkout: data.payment_id, email });
  }

  it('is granted to nobody when two charges fit one order', async () => {
    const buyer = await shop.buyer();
    const { orderId } = (await (await buyer.begin('bagelpay')).json()) as CheckoutAnswer;
    // No job may read the list before both charges are there.
    await shop.bagelpay.control.apiFault({ match: 'transactions/list', status: 503, times: null });
    await buyer.pay('bagelpay', orderId);
    await strangePurchase(buyer.email, 'prod_basic_monthly');
    await shop.bagelpay.control.clearFaults();
    await ask(buyer);
    await reconcileProvider(shop.app.deps, providerOf(shop, 'bagelpay'));
    expect(await buyer.balance()).toBe(40);
    const [{ count = 0 } = {}] = await shop.sql<{ count: number }[]>`
      select count(*)::int as count from billing.facts
       where kind = 'payment' and fact->>'customerEmail' = ${buyer.email}`;
    expect(count).toBeGreaterThan(0);
  });

  /** The provider's subscription and charges of an order. */
  async function rowsOf(orderId: string) {
    const { checkouts, subscriptions, transactions } = await shop.bagelpay.control.ledger();
    const checkout = checkouts.find(({ requestId }) => requestId === orderId)?.id;
    const subscription = subscriptions.find(({ checkoutId }) => checkoutId === checkout)?.id;
    return { subscription, charges: transactions.filter(({ checkoutId }) => checkoutId === checkout) };
  }

  it('is granted once where another one pays for the same period, and stays while one of them does', async () => {
    const buyer = await shop.buyer();
    const orderId = await payAndLeave(buyer, 'bagelpay');
    const { subscription } = await rowsOf(orderId);
    await shop.bagelpay.control.act('charge', { subscription });
    await ask(buyer);
    expect(await buyer.balance()).toBe(540);
    expect(await quarantineOf(buyer.userId)).toEqual(['paid_twice']);
    const { charges } = await rowsOf(orderId);
    const provider = shop.app.deps.providers.bagelpay;
    if (!provider) throw new Error('no provider');
    for (const [index, left] of [540, 40].entries()) {
      await shop.bagelpay.control.act('refund', { transaction: charges[index]?.id });
      await reconcileProvider(shop.app.deps, provider);
      expect(await buyer.balance()).toBe(left);
    }
  });

  it('is found by asking, and pays for its period, where only another one of the period was told and given back', async () => {
    const buyer = await shop.buyer();
    const orderId = await payAndLeave(buyer, 'bagelpay');
    const { subscription } = await rowsOf(orderId);
    const url = `${shop.app.url}/webhooks/bagelpay`;
    await shop.bagelpay.control.act('webhook', { url, secret: SECRET });
    await shop.bagelpay.control.act('charge', { subscription });
    const { charges } = await rowsOf(orderId);
    await shop.bagelpay.control.act('refund', { transaction: charges[1]?.id });
    await shop.bagelpay.control.settle();
    await shop.bagelpay.control.act('webhook', { url: null });
    await expect.poll(() => ordersOf(buyer)).toEqual([{ status: 'refunded' }]);
    const provider = shop.app.deps.providers.bagelpay;
    if (!provider) throw new Error('no provider');
    await shop.sql`delete from rate_limits where key like 'confirm:%'`;
    await reconcileProvider(shop.app.deps, provider);
    expect(await buyer.balance()).toBe(540);
    expect(await ordersOf(buyer)).toEqual([{ status: 'paid' }]);
  });

  it('is granted to nobody when two orders of its buyer fit it', async () => {
    const buyer = await shop.buyer();
    const { orderId } = (await (await buyer.begin('bagelpay')).json()) as CheckoutAnswer;
    await shop.bagelpay.control.act('abandon', {
      checkout: (await shop.bagelpay.control.ledger()).checkouts.find(
        ({ requestId }) => requestId === orderId,
      )?.id,
    });
    const order = await findAnyOrder(shop.sql, orderId);
    if (!order) throw new Error('no order');
    await closeOrder(shop.app.deps, order, 'failed');
    await payAndLeave(buyer, 'bagelpay');
    await ask(buyer);
    expect(await buyer.balance()).toBe(40);
    expect(await quarantineOf(buyer.userId)).toContain('inferred');
  });

  it('of another address, another price or another product is granted to nobody', async () => {
    const buyer = await shop.buyer();
    await buyer.begin('bagelpay');
    await strangePurchase(`other-${buyer.email}`, 'prod_basic_monthly');
    await strangePurchase(buyer.email, 'prod_pro_monthly');
    await ask(buyer);
    await reconcileProvider(shop.app.deps, providerOf(shop, 'bagelpay'));
    expect(await buyer.balance()).toBe(40);
    expect(await ordersOf(buyer)).toEqual([{ status: 'open' }]);
  });

  it('that was matched and is then told by its webhook is granted once', async () => {
    const buyer = await shop.buyer();
    const orderId = await payAndLeave(buyer, 'bagelpay');
    await ask(buyer);
    expect(await buyer.balance()).toBe(540);
    const url = `${shop.app.url}/webhooks/bagelpay`;
    await shop.bagelpay.control.act('webhook', { url, secret: SECRET });
    const told = (await shop.bagelpay.control.webhooks()).filter(({ body }) => body.includes(orderId));
    expect(told.map(({ type }) => type)).toEqual(['checkout.completed', 'subscription.paid']);
    for (const { eventId } of told) await shop.bagelpay.control.act('resend', { event: eventId });
    await shop.bagelpay.control.settle();
    const read = () =>
      shop.sql`select type from billing.inbox where status = 'done' and user_id = ${buyer.userId}`;
    await expect.poll(async () => (await read()).length).toBe(2);
    expect(await buyer.balance()).toBe(540);
    expect(await quarantineOf(buyer.userId)).toEqual([]);
    await shop.bagelpay.control.act('webhook', { url: null });
  });

  it('that is told for another user’s order later is granted once, and what contradicts is set aside', async () => {
    const [buyer, other] = [await shop.buyer(), await shop.buyer()];
    await payAndLeave(buyer, 'bagelpay');
    await ask(buyer);
    expect(await buyer.balance()).toBe(540);
    const { orderId } = (await (await other.begin('bagelpay')).json()) as CheckoutAnswer;
    const [stored] = await shop.sql<{ fact: Record<string, unknown> }[]>`
      select fact from billing.facts where user_id = ${buyer.userId} and kind = 'payment'`;
    const fact = { ...parseFact(stored?.fact ?? {}), orderId, subscriptionId: null } as Fact;
    await applyFacts(shop.app.deps, { provider: 'bagelpay', facts: [fact], source: 'webhook' });
    expect([await buyer.balance(), await other.balance()]).toEqual([540, 40]);
    expect(
      await shop.sql`select user_id, is_ambiguous from billing.facts where fact->>'orderId' = ${orderId}`,
    ).toEqual([{ user_id: null, is_ambiguous: true }]);
  });

  it('that is told for another user’s order later is not called uncredited, and is lost with its dispute', async () => {
    const [buyer, other] = [await shop.buyer(), await shop.buyer()];
    await payAndLeave(buyer, 'bagelpay');
    await ask(buyer);
    const { orderId } = (await (await other.begin('bagelpay')).json()) as CheckoutAnswer;
    const [stored] = await shop.sql<{ fact: Record<string, unknown> }[]>`
      select fact from billing.facts where user_id = ${buyer.userId} and kind = 'payment'`;
    const told = { ...parseFact(stored?.fact ?? {}), orderId, subscriptionId: null } as Fact & {
      kind: 'payment';
    };
    const { mode, customerId, customerEmail, transactionId } = told;
    const apply = (fact: Fact) =>
      applyFacts(shop.app.deps, { provider: 'bagelpay', facts: [fact], source: 'webhook' });
    await apply(told);
    expect(
      await shop.sql`select from billing.uncredited where transaction_id = ${transactionId} and resolved_at is null`,
    ).toEqual([]);

    const ids = { mode, customerId, customerEmail, orderId, transactionId, subscriptionId: null };
    await apply({ kind: 'dispute', ...ids, at: shop.clock.now() });
    expect([await buyer.balance(), await other.balance()]).toEqual([40, 40]);
    expect(await buyer.status()).toMatchObject({ active: false, checkoutBlocked: 'disputed' });
    expect(await other.status()).toMatchObject({ checkoutBlocked: null });
  });
});

describe('renewals', () => {
  it.each(PROVIDERS)('at %s are credited by the job with every webhook lost', async (name) => {
    const own = await openShop();
    try {
      const buyer = await own.buyer();
      await buyer.buy(name);
      await own.moveDays(31.5);
      await expect
        .poll(
          async () => {
            const [row] = await own.sql<{ count: number }[]>`
              select count(*)::int as count from credit.bucket where user_id = ${buyer.userId} and kind = 'subscription'`;
            return row?.count;
          },
          { timeout: 60_000, interval: 500 },
        )
        .toBe(2);
      expect(await readBalance(own.app.deps, buyer.userId)).toBe(500);
      expect(await readBillingStatus(own.app.deps, buyer.userId)).toMatchObject({
        active: true,
        state: 'active',
      });
      await expectNoDrift(own.sql, buyer.userId);
    } finally {
      await own.close();
    }
  });
});
