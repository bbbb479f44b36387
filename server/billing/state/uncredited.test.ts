import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BillingStatus, Order } from '#contract/billing.ts';
import { payOtherPrice } from '#test/billing/pay-other-price.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { orderOf, paymentFact, refundFact } from '#test/billing/world.ts';
import { startMailbox } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';
import type { Fact } from '../providers/facts.ts';
import { reconcileProvider } from '../reconciliation/reconcile-provider.ts';
import { applyFacts } from './apply-facts.ts';

const MINUTE_DAYS = 1 / 1_440;
const POLL = { interval: 100 };
const OPERATOR = 'operator@example.test';

let shop: Shop;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
/** What the operator's webhook was called with; `fails` makes it refuse. */
const calls: Record<string, unknown>[] = [];
let fails = 0;
const receiver = createServer((request, response) => {
  void json(request).then((body) => {
    if (fails > 0) fails -= 1;
    else {
      calls.push(body as Record<string, unknown>);
      response.writeHead(204).end();
      return;
    }
    response.writeHead(500).end();
  });
});

beforeAll(async () => {
  mailbox = await startMailbox();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  shop = await openShop({
    env: {
      ...mailbox.settings,
      OPERATOR_MAIL: OPERATOR,
      OPERATOR_WEBHOOK: `http://127.0.0.1:${port}/alerts`,
    },
  });
});
afterAll(async () => {
  await shop.close();
  await mailbox.close();
  receiver.close();
});

type Buyer = Awaited<ReturnType<Shop['buyer']>>;
const statusOf = (buyer: Buyer) => buyer.read<BillingStatus>('/api/subscription');
const ordersOf = async (buyer: Buyer) => (await buyer.read<{ orders: Order[] }>('/api/orders')).orders;
const lastCharge = async (name: 'creem' | 'bagelpay') => {
  const { transactions } = await shop.worlds[name].control.ledger();
  const charge = transactions.at(-1);
  if (!charge) throw new Error('no charge');
  return charge;
};
async function gauge(): Promise<number> {
  const text = await (await fetch(`${shop.app.url}/metrics`)).text();
  return Number(/^parley_charges_uncredited (\S+)$/m.exec(text)?.[1]);
}

/** `payOtherPrice`, and the minute after which it is told. */
async function buyAtOtherPrice(buyer: Buyer): Promise<{ orderId: string; charge: string }> {
  const orderId = await payOtherPrice(shop, buyer);
  await shop.moveDays(MINUTE_DAYS);
  return { orderId, charge: (await lastCharge('creem')).id };
}

/** How the subscription of an order stands there. */
async function statusAtCreem(orderId: string) {
  const { checkouts, subscriptions } = await shop.creem.control.ledger();
  const checkout = checkouts.find(({ requestId }) => requestId === orderId);
  return subscriptions.find(({ checkoutId }) => checkoutId === checkout?.id)?.status;
}

/** A purchase at BagelPay, not by our checkout. Returns its charge. */
async function buyElsewhere(email: string, productId = 'prod_basic_monthly') {
  const { baseUrl, apiKey } = shop.bagelpay.settings;
  const response = await fetch(`${baseUrl}/api/payments/checkouts`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ product_id: productId, units: '1', customer: { email } }),
  });
  const { data } = (await response.json()) as { data: { payment_id: string } };
  await shop.bagelpay.control.act('pay', { checkout: data.payment_id, email });
  return lastCharge('bagelpay');
}

describe('money that was taken and cannot be credited', () => {
  it.runIf(IS_LONG)('is told to the operator by metrics, mail and webhook, each once', async () => {
    const buyer = await shop.buyer();
    fails = 1;
    const { charge, orderId } = await buyAtOtherPrice(buyer);
    await expect.poll(() => fails, POLL).toBe(0);
    await shop.moveDays(2 * MINUTE_DAYS);
    await expect.poll(() => calls.length, POLL).toBe(1);
    expect(calls[0]).toMatchObject({
      alert: 'uncredited_charge',
      provider: 'creem',
      transactionId: charge,
      orderId,
      reason: 'other_amount',
      amountMinor: 123,
    });
    const [mail] = await mailbox.waitFor(OPERATOR, 1);
    expect(mail?.text).toContain(charge);
    expect(await gauge()).toBe(1);
    await shop.creem.control.act('refund', { transaction: charge });
    await shop.moveDays(61 * MINUTE_DAYS);
    await expect.poll(gauge, POLL).toBe(0);
    expect((await statusOf(buyer)).uncredited).toEqual([]);
    await mailbox.waitFor(OPERATOR, 1);
  });

  it('is told to its payer with a reference, who can buy again; the first purchase then ends', async () => {
    const buyer = await shop.buyer();
    const { charge, orderId } = await buyAtOtherPrice(buyer);
    await expect
      .poll(async () => (await statusOf(buyer)).uncredited, POLL)
      .toMatchObject([{ reference: charge, provider: 'creem', orderId, amountMinor: 123, currency: 'USD' }]);
    const [order] = await ordersOf(buyer);
    expect(order).toMatchObject({ id: orderId, uncredited: charge });
    const again = await buyer.buy('creem');
    expect(again.order).toMatchObject({ status: 'paid', uncredited: null });
    expect(again.order.id).not.toBe(orderId);
    expect(await buyer.balance()).toBe(540);
    await expect.poll(() => statusAtCreem(orderId), POLL).toBe('scheduled_cancel');
  });

  it('and is refunded in full has its subscription ended, which would be charged again', async () => {
    const buyer = await shop.buyer();
    const { charge, orderId } = await buyAtOtherPrice(buyer);
    await expect.poll(async () => (await statusOf(buyer)).uncredited.length, POLL).toBe(1);
    expect(await statusAtCreem(orderId)).toBe('active');
    await shop.creem.control.act('refund', { transaction: charge });
    await shop.moveDays(61 * MINUTE_DAYS);
    await expect.poll(() => statusAtCreem(orderId), POLL).toBe('canceled');
    await expect.poll(async () => (await statusOf(buyer)).subscriptions, POLL).toEqual([]);
  });

  it('of a buyer nobody knows is told after two minutes, and what is credited is told to nobody', async () => {
    const before = calls.length;
    const { orderId } = await buyElsewhere('x@example.test');
    await (await shop.buyer()).buy('bagelpay');
    await shop.moveDays(MINUTE_DAYS / 2);
    const known = () => shop.sql`select from billing.uncredited where transaction_id = ${orderId}`;
    await expect.poll(async () => (await known()).length, POLL).toBe(1);
    expect(calls.length).toBe(before);
    await shop.moveDays(3 * MINUTE_DAYS);
    await expect
      .poll(() => calls.slice(before), POLL)
      .toMatchObject([{ transactionId: orderId, userId: null }]);
  });

  it('of nobody is settled by a refund that does not say what was paid', async () => {
    const payment = paymentFact(orderOf('nobody', Date.now()), {
      orderId: null,
      customerId: null,
      customerEmail: null,
    });
    const tell = (fact: Fact) =>
      applyFacts(shop.app.deps, { provider: 'creem', facts: [fact], source: 'webhook' });
    const owed = async () => {
      const { transactionId } = payment;
      const rows = await shop.sql`
        select from billing.uncredited where transaction_id = ${transactionId} and resolved_at is null`;
      return rows.length;
    };
    const refund = (minor: number) => ({
      ...refundFact(payment, minor),
      customerId: null,
      customerEmail: null,
      paidMinor: null,
    });
    const all = payment.amountMinor ?? 0;
    await tell(payment);
    expect(await owed()).toBe(1);
    await tell(refund(all - 1));
    expect(await owed()).toBe(1);
    await tell(refund(all));
    expect(await owed()).toBe(0);
  });

  it('of nobody, and was refunded in full, stays settled when its charge is listed again', async () => {
    const { bagelpay } = shop.app.deps.providers;
    if (!bagelpay) throw new Error('no provider');
    const buyer = await shop.buyer();
    await buyer.begin('bagelpay');
    const { id, orderId } = await buyElsewhere(buyer.email, 'prod_pro_monthly');
    const review = () => reconcileProvider(shop.app.deps, bagelpay, 'recent', { pauseMs: 0 });
    const owed = async () => {
      const rows = await shop.sql<{ isOpen: boolean }[]>`
        select resolved_at is null as "isOpen" from billing.uncredited where transaction_id = ${orderId}`;
      return rows.map(({ isOpen }) => isOpen);
    };
    await review();
    expect(await owed()).toEqual([true]);
    await shop.bagelpay.control.act('refund', { transaction: id });
    for (let times = 2; times > 0; times -= 1) {
      await review();
      expect(await owed()).toEqual([false]);
    }
  });
});
