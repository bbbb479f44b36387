import type { Fact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import { readCurrency, readMajorUnits } from '../money.ts';
import { readFactBase } from './read-payment.ts';

/**
 * Reads the amounts of a row of the transaction list, whose unit the provider mixes: `amount` 5000 stood beside `fees` 3 and
 * `net` 47. What fees and net add up to decides; without them a fraction means major units, a whole number minor ones.
 */
function unitOf(object: Fields, currency: string): (name: string) => number | null {
  const asMajor = (name: string) => readMajorUnits(object.raw(name), currency);
  const asMinor = (name: string) => object.whole(name);
  const charged = object.raw('amount_paid') === undefined ? 'amount' : 'amount_paid';
  const parts = ['net', 'fees', 'tax'].map((name) => asMajor(name) ?? 0);
  const sum = parts.reduce((total, part) => total + part, 0);
  const major = asMajor(charged);
  const minor = asMinor(charged);
  if (minor === null) return asMajor;
  if (sum === 0 || major === null) return asMinor;
  return Math.abs(major - sum) < Math.abs(minor - sum) ? asMajor : asMinor;
}

/** A row of the transaction list: a payment and its refunds. It names neither product nor subscription. */
export function readBagelpayTransaction(object: Fields): Fact[] {
  const transactionId = object.text('order_id') ?? object.text('transaction_id');
  const currency = readCurrency(object.text('currency'));
  if (transactionId === null || currency === null)
    return [{ kind: 'unknown', type: 'transaction', reason: 'a transaction without an id or a currency' }];
  const read = unitOf(object, currency);
  const amountMinor = read('amount_paid') ?? read('amount');
  const refundedMinor = read('refunded_amount') ?? 0;
  const base = { ...readFactBase(object), subscriptionId: null, transactionId };
  const tax = read('tax_amount') ?? 0;
  return [
    {
      kind: 'payment',
      ...base,
      amountMinor,
      netMinor: amountMinor === null || tax > amountMinor ? null : amountMinor - tax,
      currency,
      productId: null,
      periodStart: null,
      periodEnd: null,
      paidAt: object.time('created_at'),
      match: 'told',
    },
    ...(refundedMinor > 0
      ? [
          {
            kind: 'refund',
            ...base,
            refundId: null,
            ownMinor: null,
            refundedMinor,
            paidMinor: amountMinor,
            status: 'succeeded',
            at: object.time('updated_at'),
          } as const,
        ]
      : []),
  ];
}
