import { describe, expect, test } from 'vitest';
import { readCreemWebhook } from './read-webhook.ts';

const T0 = 1_760_000_000_000;
const product = { id: 'prod_A', object: 'product', price: 1000, currency: 'EUR', image_url: null };
const customer = { id: 'cust_A', object: 'customer', email: 'a@example.test' };
const subscription = {
  id: 'sub_A',
  object: 'subscription',
  mode: 'local',
  product,
  customer,
  items: [{ id: 'sitem_A', object: 'subscription_item', product_id: 'prod_B', units: 1 }],
  status: 'active',
  current_period_start_date: '2025-10-09T08:53:18.000Z',
  current_period_end_date: '2025-11-09T08:53:18.000Z',
  canceled_at: null,
  created_at: '2025-10-09T08:53:18.000Z',
  updated_at: '2025-10-09T08:53:20.000Z',
};
const paid = {
  ...subscription,
  last_transaction_id: 'tran_A',
  last_transaction_date: '2025-10-09T08:53:21.000Z',
  metadata: { user_id: 'u1', order_id: 'ord-local-2' },
};
const transaction = {
  id: 'tran_A',
  object: 'transaction',
  amount: 1000,
  amount_paid: 1210,
  tax_amount: 210,
  refunded_amount: 605,
  currency: 'EUR',
  type: 'invoice',
  status: 'partialRefund',
  subscription: 'sub_A',
  order: 'ord_A',
  customer: 'cust_A',
  period_start: T0,
  period_end: T0 + 86_400_000,
  created_at: T0,
};
const checkout = {
  id: 'ch_A',
  object: 'checkout',
  mode: 'test',
  status: 'completed',
  request_id: 'ord-local-1',
  order: {
    ...{ id: 'ord_A', customer: 'cust_A', product: 'prod_A', transaction: 'tran_A', amount: 1000 },
    ...{ tax_amount: 210, amount_paid: 1210, currency: 'EUR', status: 'paid', type: 'recurring' },
    created_at: '2025-10-09T08:53:20.000Z',
  },
  product,
  customer,
  subscription: { id: 'sub_A', object: 'subscription', status: 'active' },
  metadata: { user_id: 'u1' },
};

const event = (eventType: string, object: unknown, createdAt = T0) =>
  readCreemWebhook(Buffer.from(JSON.stringify({ id: 'evt_A', eventType, created_at: createdAt, object })));

describe("Creem's events", () => {
  test('checkout.completed of a subscription binds and pays nothing', () => {
    expect(event('checkout.completed', checkout)).toEqual([
      expect.objectContaining({
        kind: 'checkout',
        status: 'completed',
        checkoutId: 'ch_A',
        orderId: 'ord-local-1',
        subscriptionId: 'sub_A',
        customerId: 'cust_A',
        userId: 'u1',
        mode: 'test',
      }),
    ]);
  });

  test('checkout.completed of a one-time product pays, gross and net apart', () => {
    const { subscription: _, ...once } = { ...checkout, order: { ...checkout.order, type: 'onetime' } };
    expect(event('checkout.completed', once)[1]).toMatchObject({
      kind: 'payment',
      transactionId: 'tran_A',
      amountMinor: 1210,
      netMinor: 1000,
      orderId: 'ord-local-1',
    });
  });

  test('subscription.paid is a snapshot and a payment whose money must be asked for', () => {
    const [snapshot, payment] = event('subscription.paid', paid);
    expect(snapshot).toMatchObject({ kind: 'subscription', status: 'active', rank: 2, cancelAt: null });
    expect(payment).toMatchObject({
      kind: 'payment',
      transactionId: 'tran_A',
      amountMinor: null,
      currency: null,
      productId: 'prod_A',
      orderId: 'ord-local-2',
      periodStart: new Date('2025-10-09T08:53:18.000Z'),
      periodEnd: new Date('2025-11-09T08:53:18.000Z'),
    });
  });

  test.each([
    ['active', 'active'],
    ['trialing', 'trialing'],
    ['update', 'active'],
    ['past_due', 'past_due'],
    ['scheduled_cancel', 'scheduled_cancel'],
    ['canceled', 'canceled'],
    ['paused', 'paused'],
    ['unpaid', 'unpaid'],
  ])('subscription.%s is a snapshot only', (type, status) => {
    const facts = event(`subscription.${type}`, { ...subscription, status });
    expect(facts).toMatchObject([{ kind: 'subscription', status, subscriptionId: 'sub_A', mode: 'test' }]);
  });

  test('subscription.expired is expired though its object says active, as of the event', () => {
    const [fact] = event('subscription.expired', subscription, T0 + 1);
    expect(fact).toMatchObject({ status: 'expired', updatedAt: new Date(T0 + 1) });
  });

  test('canceled_at counts for a canceled subscription only', () => {
    const at = '2025-10-10T00:00:00.000Z';
    expect(event('subscription.active', { ...subscription, canceled_at: at })).toMatchObject([
      { cancelAt: null },
    ]);
    const canceled = { ...subscription, status: 'canceled', canceled_at: at };
    expect(event('subscription.canceled', canceled)).toMatchObject([{ cancelAt: new Date(at) }]);
    const scheduled = { ...subscription, status: 'scheduled_cancel' };
    expect(event('subscription.scheduled_cancel', scheduled)).toMatchObject([
      { cancelAt: new Date(subscription.current_period_end_date) },
    ]);
  });

  test('refund.created tells the sum of all refunds, gross', () => {
    const refund = { id: 'ref_A', mode: 'test', status: 'succeeded', refund_amount: 605, created_at: T0 };
    const object = { ...refund, transaction, checkout, subscription, customer };
    expect(event('refund.created', object)).toEqual([
      expect.objectContaining({
        kind: 'refund',
        transactionId: 'tran_A',
        refundedMinor: 605,
        paidMinor: 1210,
        status: 'succeeded',
        orderId: 'ord-local-1',
        subscriptionId: 'sub_A',
      }),
    ]);
    expect(event('refund.created', { ...object, status: 'requiresAction' })).toMatchObject([
      { status: 'pending' },
    ]);
    expect(event('refund.created', { ...object, status: 'canceled' })).toMatchObject([{ status: 'failed' }]);
  });

  test('refund.created in another currency than the charge counts by what the charge says alone', () => {
    const refund = { id: 'ref_A', status: 'succeeded', refund_amount: 105_000, refund_currency: 'JPY' };
    const object = { ...refund, created_at: T0, transaction, checkout, subscription, customer };
    expect(event('refund.created', object)).toMatchObject([{ ownMinor: null, refundedMinor: 605 }]);
    const silent = { ...object, transaction: { ...transaction, refunded_amount: 0 } };
    expect(event('refund.created', silent)).toMatchObject([{ ownMinor: null, refundedMinor: null }]);
    const same = { ...object, refund_amount: 605, refund_currency: 'eur' };
    expect(event('refund.created', same)).toMatchObject([{ ownMinor: 605, refundedMinor: 605 }]);
  });

  test('dispute.created names the charge, whatever the status is called', () => {
    for (const status of ['chargeback', 'chargedBack']) {
      const object = { id: 'disp_A', amount: 1331, created_at: T0, transaction: { ...transaction, status } };
      expect(event('dispute.created', object)).toMatchObject([{ kind: 'dispute', transactionId: 'tran_A' }]);
    }
  });

  test("Creem's own credits are none of our business", () => {
    for (const type of ['customer_credits.exhausted', 'credits.granted', 'credits.consumed'])
      expect(event(type, { id: 'x' })).toEqual([]);
  });

  test('what is new or incomplete is unknown, and the rest of it is still told', () => {
    expect(event('subscription.hologram', subscription)).toMatchObject([{ kind: 'unknown' }]);
    expect(event('refund.created', { status: 'succeeded' })).toMatchObject([{ kind: 'unknown' }]);
    expect(event('subscription.paid', subscription)).toMatchObject([
      { kind: 'subscription' },
      { kind: 'unknown', reason: 'a paid period without its transaction' },
    ]);
    const odd = { ...subscription, status: 'constructor' };
    expect(event('subscription.update', odd)).toMatchObject([{ status: 'unknown' }, { kind: 'unknown' }]);
    expect(event('subscription.active', { ...odd, status: 'new_status' })).toMatchObject([
      { status: 'active' },
    ]);
  });
});
