import { readMode } from '../envelope.ts';
import type { CheckoutFact, CheckoutStatus, Fact, UnknownFact, UnknownReason } from '../facts.ts';
import { type Fields, parseFields } from '../fields.ts';
import { isOtherCurrency, readCurrency, readMajorUnits } from '../money.ts';
import { orderIdOf, readBagelpayPayment, readFactBase } from './read-payment.ts';
import { readBagelpaySubscription } from './read-subscription.ts';

const CHECKOUTS: Record<string, CheckoutStatus> = {
  'checkout.completed': 'completed',
  'checkout.failed': 'failed',
  'checkout.cancel': 'abandoned',
};

const SUBSCRIPTIONS: Record<string, string> = {
  'subscription.trialing': 'trialing',
  'subscription.paid': 'active',
  'subscription.canceled': 'canceled',
};

const PAYS = ['checkout.completed', 'subscription.paid'];

/** The facts of a webhook's body. Never throws. Only `checkout.completed` is documented in full; the rest is read as if like it. */
export function readBagelpayWebhook(raw: Uint8Array): Fact[] {
  const body = parseFields(raw);
  const type = (body.text('event_type') ?? 'unknown').slice(0, 100);
  const object = body.object('object');
  const at = body.time('created_at');
  const isCheckout = Object.hasOwn(CHECKOUTS, type);
  if (!object.exists) return [unknown(type, 'an event without an object')];
  if (type === 'refund.created') return [translateRefund(object, at)];
  if (!isCheckout && !Object.hasOwn(SUBSCRIPTIONS, type))
    return [unknown(type, 'an event of an unknown type')];
  const facts: Fact[] = [
    ...(isCheckout ? translateCheckout(type, object, at) : []),
    ...translateSubscription(type, object, at),
    ...(PAYS.includes(type) ? translatePayment(type, object, at) : []),
  ];
  return facts.length > 0 ? facts : [unknown(type, 'an event without anything known in it')];
}

function unknown(type: string, reason: UnknownReason): UnknownFact {
  return { kind: 'unknown', type, reason };
}

function translateCheckout(type: string, object: Fields, at: Date | null): Fact[] {
  const status = CHECKOUTS[type] ?? 'open';
  const subscription = object.object('subscription');
  const checkout: CheckoutFact = {
    kind: 'checkout',
    ...readFactBase(object),
    checkoutId: object.text('payment_id'),
    status,
    productId: object.object('order').text('product_id') ?? object.id('product', 'product_id'),
    subscriptionId: object.id('subscription', 'subscription_id') ?? subscription.text('id'),
    userId: object.object('metadata').text('user_id'),
    at,
  };
  const transactionId = object.object('order').text('order_id');
  const isPaid = object.object('order').text('status') === 'paid';
  if (status !== 'abandoned' || !isPaid || transactionId === null) return [checkout];
  const { mode, orderId, customerId, customerEmail, subscriptionId } = checkout;
  return [
    checkout,
    { kind: 'dispute', mode, orderId, customerId, customerEmail, subscriptionId, transactionId, at },
  ];
}

/** The object of a `subscription.*` event may be the subscription itself or something around it. */
function translateSubscription(type: string, object: Fields, at: Date | null): Fact[] {
  const inner = object.object('subscription');
  const subject = inner.exists ? inner : object.text('subscription_id') === null ? null : object;
  if (!subject) return [];
  const snapshot = readBagelpaySubscription(subject, {
    owner: object,
    impliedStatus: SUBSCRIPTIONS[type]?.toString() ?? null,
    at,
  });
  if (!snapshot) return [unknown(type, 'a subscription without an id or a time')];
  return snapshot.status === 'unknown'
    ? [snapshot, unknown(type, 'a subscription with an unknown status')]
    : [snapshot];
}

function translatePayment(type: string, object: Fields, at: Date | null): Fact[] {
  const payment = readBagelpayPayment(object, at);
  return payment ? [payment] : [unknown(type, 'a payment without its order')];
}

/** Whether the amount is of this refund or of all so far is not documented, so only a full refund counts. */
function translateRefund(object: Fields, at: Date | null): Fact {
  const refund = object.object('refund');
  const order = object.object('order');
  const transactionId = order.text('order_id') ?? refund.text('order_id') ?? object.text('order_id');
  if (transactionId === null) return unknown('refund.created', 'a refund without its order');
  const payment = readBagelpayPayment(object, at);
  const paidMinor = payment?.amountMinor ?? amountOf(order);
  const charged = readCurrency(order.text('currency'));
  const currency = readCurrency(refund.text('currency') ?? order.text('currency'));
  const isOther = isOtherCurrency(currency, charged);
  const status = refund.text('status') ?? order.text('status') ?? object.text('status');
  return {
    kind: 'refund',
    mode: readMode(object.text('mode')),
    orderId: orderIdOf(object),
    customerId: object.id('customer'),
    customerEmail: object.object('customer').text('email'),
    transactionId,
    refundId: refund.text('refund_id'),
    ownMinor: currency === null || isOther ? null : readMajorUnits(refund.raw('amount'), currency),
    refundedMinor: status === 'refunded' ? paidMinor : null,
    paidMinor,
    status: status === 'refunded' || status === 'partial_refund' ? 'succeeded' : 'pending',
    subscriptionId: object.id('subscription', 'subscription_id'),
    at: refund.time('created_at') ?? at,
  };
}

function amountOf(order: Fields): number | null {
  const currency = readCurrency(order.text('currency'));
  return currency === null ? null : readMajorUnits(order.raw('amount'), currency);
}
