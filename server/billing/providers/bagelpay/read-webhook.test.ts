import { describe, expect, test } from 'vitest';
import { Fields } from '../fields.ts';
import { readBagelpayTransaction } from './read-transaction.ts';
import { readBagelpayWebhook } from './read-webhook.ts';

const order = {
  object: 'order',
  order_id: 'ORD_1',
  product_id: 'prod_1',
  status: 'paid',
  amount: 29.9,
  tax_amount: 0,
  currency: 'usd',
  created_at: '2026-01-05 08:30:02.653',
};
const object = {
  object: 'checkout',
  mode: 'test',
  payment_id: 'ch_1',
  request_id: 'ord-local-2',
  order,
  product: { object: 'product', product_id: 'prod_1', price: 29.9, currency: 'USD', tax_inclusive: false },
  customer: { id: 1967, email: 'a@example.test' },
  metadata: { user_id: 'u1' },
};
const subscription = {
  subscription_id: 'sub_1',
  status: 'active',
  product_id: 'prod_1',
  billing_period_start: '2026-01-05 08:30:00',
  billing_period_end: '2026-02-05 08:30:00',
  updated_at: '2026-01-05 08:30:03',
};

const event = (type: string, body: unknown) =>
  readBagelpayWebhook(
    Buffer.from(
      JSON.stringify({
        event_id: 'evt_1',
        event_type: type,
        created_at: '2026-01-05 08:30:00',
        object: body,
      }),
    ),
  );

describe("BagelPay's events", () => {
  test('checkout.completed binds and pays under its order, in UTC, in minor units', () => {
    expect(event('checkout.completed', object)).toEqual([
      expect.objectContaining({ kind: 'checkout', status: 'completed', checkoutId: 'ch_1', userId: 'u1' }),
      expect.objectContaining({
        kind: 'payment',
        transactionId: 'ORD_1',
        amountMinor: 2990,
        netMinor: 2990,
        currency: 'USD',
        productId: 'prod_1',
        subscriptionId: null,
        periodStart: null,
        orderId: 'ord-local-2',
        customerId: '1967',
        paidAt: new Date('2026-01-05T08:30:02.653Z'),
        match: 'told',
      }),
    ]);
  });

  test('subscription.paid about the same charge is the same payment, with its period', () => {
    expect(event('subscription.paid', { ...object, subscription })).toMatchObject([
      { kind: 'subscription', subscriptionId: 'sub_1', status: 'active', orderId: 'ord-local-2' },
      { kind: 'payment', transactionId: 'ORD_1', periodEnd: new Date('2026-02-05T08:30:00Z') },
    ]);
  });

  test('checkout.failed of a renewal is no payment', () => {
    const failed = { ...object, order: { ...order, status: 'failed' }, subscription };
    const facts = event('checkout.failed', {
      ...failed,
      subscription: { ...subscription, status: 'past_due' },
    });
    expect(facts).toMatchObject([
      { kind: 'checkout', status: 'failed', subscriptionId: 'sub_1' },
      { kind: 'subscription', status: 'past_due', rank: 4 },
    ]);
  });

  test('checkout.cancel of an unpaid order is abandoned, of a paid one a dispute as well', () => {
    const { order: _, ...unpaid } = object;
    expect(event('checkout.cancel', unpaid)).toMatchObject([{ kind: 'checkout', status: 'abandoned' }]);
    expect(event('checkout.cancel', object)).toMatchObject([
      { kind: 'checkout', status: 'abandoned', orderId: 'ord-local-2' },
      { kind: 'dispute', transactionId: 'ORD_1' },
    ]);
  });

  test('subscription.trialing and subscription.canceled are snapshots, inside or as the object', () => {
    const canceled = { ...subscription, status: 'canceled', cancel_at: '2026-01-20 00:00:00' };
    for (const body of [canceled, { ...object, subscription: canceled }])
      expect(event('subscription.canceled', body)).toMatchObject([
        { status: 'canceled', cancelAt: new Date('2026-01-20T00:00:00Z') },
      ]);
    const { status: _, ...silent } = subscription;
    expect(event('subscription.trialing', silent)).toMatchObject([{ status: 'trialing' }]);
  });

  test('refund.created takes only a full refund as told', () => {
    const refund = { ...object, refund: { amount: 10, currency: 'usd', status: 'partial_refund' } };
    expect(event('refund.created', refund)).toMatchObject([
      { kind: 'refund', transactionId: 'ORD_1', refundedMinor: null, paidMinor: 2990, status: 'succeeded' },
    ]);
    const full = { ...object, refund: { status: 'refunded' } };
    expect(event('refund.created', full)).toMatchObject([{ refundedMinor: 2990 }]);
  });

  test('refund.created in another currency than the charge says nothing of its own amount', () => {
    const refund = { amount: 4_000, currency: 'jpy', status: 'refunded' };
    expect(event('refund.created', { ...object, refund })).toMatchObject([
      { ownMinor: null, refundedMinor: 2990, paidMinor: 2990 },
    ]);
  });

  test('what is new or incomplete is unknown', () => {
    expect(event('subscription.hologram', object)).toMatchObject([{ kind: 'unknown' }]);
    expect(event('refund.created', { refund: {} })).toMatchObject([{ kind: 'unknown' }]);
    expect(event('subscription.paid', { subscription })).toMatchObject([
      { kind: 'subscription' },
      { kind: 'unknown', reason: 'a payment without its order' },
    ]);
  });
});

describe('the rows of the transaction list', () => {
  const row = {
    order_id: 'ORD_1',
    transaction_id: 'tran_1',
    currency: 'usd',
    created_at: '2026-01-05 08:30:02',
  };
  const amountOf = (more: object) => readBagelpayTransaction(new Fields({ ...row, ...more }))[0];

  test('are read in minor units where fees and net say so, as in the sample', () => {
    expect(amountOf({ amount: 5000, fees: 3, net: 47 })).toMatchObject({
      amountMinor: 5000,
      currency: 'USD',
    });
    expect(amountOf({ amount: 690, amount_paid: 690 })).toMatchObject({ amountMinor: 690 });
  });

  test('are read in major units where fees and net or a fraction say so', () => {
    expect(amountOf({ amount: 50, fees: 3, net: 47 })).toMatchObject({ amountMinor: 5000 });
    expect(amountOf({ amount: 6.9, amount_paid: '6.90' })).toMatchObject({ amountMinor: 690 });
  });

  test('tell refunds in the same unit, under the same id as webhooks', () => {
    const facts = readBagelpayTransaction(new Fields({ ...row, amount: 690, refunded_amount: 300 }));
    expect(facts).toMatchObject([
      { kind: 'payment', transactionId: 'ORD_1' },
      { kind: 'refund', transactionId: 'ORD_1', refundedMinor: 300, paidMinor: 690 },
    ]);
  });
});
