import { readMode } from '../envelope.ts';
import type { DisputeFact, Fact, PaymentFact, RefundFact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import { readCurrency } from '../money.ts';

const PAID = ['paid', 'refunded', 'partialRefund', 'chargedBack', 'chargeback'];
const DISPUTED = ['chargedBack', 'chargeback'];

/**
 * What a transaction does not say itself. It never says its product: that of its subscription is today's, and may have been
 * another one when it was charged.
 */
export interface TransactionContext {
  orderId: string | null;
}

/** Amounts of a transaction: `amount` is before tax, `amount_paid` is what was charged. */
function readAmounts(object: Fields) {
  const net = object.whole('amount');
  const tax = object.whole('tax_amount') ?? 0;
  return { amountMinor: object.whole('amount_paid') ?? (net === null ? null : net + tax), netMinor: net };
}

function readFactBase(object: Fields, orderId: string | null) {
  return {
    mode: readMode(object.text('mode')),
    orderId,
    customerId: object.id('customer'),
    customerEmail: object.object('customer').text('email'),
    subscriptionId: object.id('subscription'),
  };
}

function readPayment(object: Fields, transactionId: string, context: TransactionContext): PaymentFact {
  const start = object.time('period_start');
  const end = object.time('period_end');
  const isPeriod = start !== null && end !== null && start < end;
  return {
    kind: 'payment',
    ...readFactBase(object, context.orderId),
    transactionId,
    ...readAmounts(object),
    currency: readCurrency(object.text('currency')),
    productId: null,
    periodStart: isPeriod ? start : null,
    periodEnd: isPeriod ? end : null,
    paidAt: object.time('created_at'),
    match: 'told',
  };
}

/** The dispute about a transaction, at the time it is known to be. */
export function readDispute(object: Fields, transactionId: string, at: Date | null): DisputeFact {
  return { kind: 'dispute', ...readFactBase(object, null), transactionId, at };
}

/** The sum of all refunds of a transaction. */
export function readRefunded(
  object: Fields,
  transactionId: string,
  refund: Pick<RefundFact, 'refundId' | 'ownMinor' | 'refundedMinor' | 'status' | 'at'>,
): RefundFact {
  return {
    kind: 'refund',
    ...readFactBase(object, null),
    transactionId,
    paidMinor: readAmounts(object).amountMinor,
    ...refund,
  };
}

/** The sum refunded so far; null when something was, but not how much. */
function readRefundedMinor(object: Fields, status: string): number | null {
  const refunded = object.whole('refunded_amount') ?? 0;
  if (refunded > 0 || !['refunded', 'partialRefund'].includes(status)) return refunded;
  return status === 'refunded' ? readAmounts(object).amountMinor : null;
}

/** The payment in a `transaction`, with its refund and its dispute; nothing for a charge that was not paid. */
export function readCreemTransaction(object: Fields, context: TransactionContext): Fact[] {
  const transactionId = object.text('id');
  const status = object.text('status') ?? '';
  if (transactionId === null)
    return [{ kind: 'unknown', type: 'transaction', reason: 'a transaction without an id' }];
  if (!PAID.includes(status)) return [];
  const total = { refundId: null, ownMinor: null, status: 'succeeded', at: null } as const;
  const refund = { ...total, refundedMinor: readRefundedMinor(object, status) };
  const isRefunded = refund.refundedMinor !== 0;
  return [
    readPayment(object, transactionId, context),
    ...(isRefunded ? [readRefunded(object, transactionId, refund)] : []),
    ...(DISPUTED.includes(status) ? [readDispute(object, transactionId, null)] : []),
  ];
}
