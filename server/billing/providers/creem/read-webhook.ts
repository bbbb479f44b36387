import { readMode } from '../envelope.ts';
import type { Fact, PaymentFact, RefundFact, UnknownFact, UnknownReason } from '../facts.ts';
import { type Fields, parseFields } from '../fields.ts';
import { isOtherCurrency, readCurrency } from '../money.ts';
import { orderIdOf, readCreemCheckout } from './read-checkout.ts';
import { readCreemSubscription, type SubscriptionNews } from './read-subscription.ts';
import { readDispute, readRefunded } from './read-transaction.ts';

const REFUND_STATUS: Record<string, RefundFact['status']> = {
  succeeded: 'succeeded',
  pending: 'pending',
  requiresAction: 'pending',
  requires_action: 'pending',
  failed: 'failed',
  canceled: 'failed',
};

const SUBSCRIPTION_EVENT =
  /^subscription\.(active|trialing|canceled|scheduled_cancel|paid|expired|unpaid|updated?|past_due|paused)$/;
/** Creem's own credits, which we do not use. */
const IGNORED = /^(customer_)?credits\./;

/** The facts of a webhook's body. Never throws. */
export function readCreemWebhook(raw: Uint8Array): Fact[] {
  const body = parseFields(raw);
  const type = (body.text('eventType') ?? body.text('type') ?? 'unknown').slice(0, 100);
  const object = body.object(body.object('object').exists ? 'object' : 'data');
  const at = body.time('created_at');
  if (IGNORED.test(type)) return [];
  if (!object.exists) return [unknown(type, 'an event without an object')];
  if (type === 'checkout.completed') return readCreemCheckout(object, at);
  if (SUBSCRIPTION_EVENT.test(type)) return translateSubscription(object, { type, at });
  if (type === 'refund.created') return [translateRefund(object)];
  if (type === 'dispute.created') return [translateDispute(object)];
  return [unknown(type, 'an event of an unknown type')];
}

function unknown(type: string, reason: UnknownReason): UnknownFact {
  return { kind: 'unknown', type, reason };
}

function translateSubscription(object: Fields, news: SubscriptionNews): Fact[] {
  const snapshot = readCreemSubscription(object, news);
  if (!snapshot) return [unknown(news.type, 'a subscription without an id or a time')];
  const facts: Fact[] = [snapshot];
  if (snapshot.status === 'unknown') facts.push(unknown(news.type, 'a subscription with an unknown status'));
  if (news.type !== 'subscription.paid') return facts;
  const transactionId = object.id('last_transaction_id');
  if (transactionId === null) return [...facts, unknown(news.type, 'a paid period without its transaction')];
  const { mode, orderId, customerId, customerEmail, subscriptionId, productId } = snapshot;
  const payment: PaymentFact = {
    kind: 'payment',
    mode,
    orderId,
    customerId,
    customerEmail,
    subscriptionId,
    productId,
    transactionId,
    amountMinor: null,
    netMinor: null,
    currency: null,
    periodStart: snapshot.periodStart,
    periodEnd: snapshot.periodEnd,
    paidAt: object.time('last_transaction_date') ?? news.at,
    match: 'told',
  };
  return [...facts, payment];
}

function translateRefund(object: Fields): Fact {
  const transaction = object.object('transaction');
  const transactionId = object.id('transaction');
  const status = object.word('status', REFUND_STATUS);
  if (transactionId === null || !status)
    return unknown('refund.created', 'a refund without a transaction or with an unknown status');
  const total = transaction.whole('refunded_amount') ?? 0;
  const ownMinor = readOwnMinor(object, transaction);
  const one = ownMinor ?? 0;
  const refundedMinor = status === 'succeeded' ? Math.max(total, one) : total;
  const isOpen = status === 'succeeded' && refundedMinor === 0;
  const refund = readRefunded(transaction, transactionId, {
    refundId: object.text('id'),
    ownMinor,
    refundedMinor: isOpen ? null : refundedMinor,
    status,
    at: object.time('created_at'),
  });
  return { ...refund, ...bindings(object, refund) };
}

/** The amount of this one refund; null where it is told in another currency than the charge. */
function readOwnMinor(object: Fields, transaction: Fields): number | null {
  const told = readCurrency(object.text('refund_currency'));
  const charged = readCurrency(transaction.text('currency'));
  return isOtherCurrency(told, charged) ? null : object.whole('refund_amount');
}

function translateDispute(object: Fields): Fact {
  const transactionId = object.id('transaction');
  if (transactionId === null) return unknown('dispute.created', 'a dispute without a transaction');
  const dispute = readDispute(object.object('transaction'), transactionId, object.time('created_at'));
  return { ...dispute, ...bindings(object, dispute) };
}

/** The owner, which stands around the transaction rather than in it. */
function bindings(
  object: Fields,
  found: Pick<RefundFact, 'mode' | 'customerId' | 'customerEmail' | 'subscriptionId'>,
) {
  return {
    mode: readMode(object.text('mode')) ?? found.mode,
    orderId:
      orderIdOf(object.object('checkout')) ??
      object.object('subscription').object('metadata').text('order_id'),
    customerId: object.id('customer') ?? found.customerId,
    customerEmail: object.object('customer').text('email') ?? found.customerEmail,
    subscriptionId: object.id('subscription') ?? found.subscriptionId,
  };
}
