import { readMode } from '../envelope.ts';
import type { PaymentFact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import { readCurrency, readMajorUnits } from '../money.ts';

/** Our order's id: the `request_id`, which metadata repeats. */
export function orderIdOf(object: Fields): string | null {
  return object.text('request_id') ?? object.object('metadata').text('order_id');
}

/** Who it is about. Ids of customers come as numbers and as texts. */
export function readFactBase(object: Fields) {
  const customer = object.object('customer');
  return {
    mode: readMode(object.text('mode')),
    orderId: orderIdOf(object),
    customerId: object.id('customer'),
    customerEmail: customer.text('email') ?? object.text('customer_email'),
  };
}

/** Webhooks write money in decimal major units. The product says whether `amount` includes the tax. */
function readAmounts(object: Fields, currency: string | null) {
  const order = object.object('order');
  if (currency === null) return { amountMinor: null, netMinor: null };
  const amount = readMajorUnits(order.raw('amount'), currency);
  const tax = readMajorUnits(order.raw('tax_amount') ?? 0, currency) ?? 0;
  if (amount === null) return { amountMinor: null, netMinor: null };
  const isInclusive = object.object('product').raw('tax_inclusive') === true;
  return isInclusive
    ? { amountMinor: amount, netMinor: amount - tax }
    : { amountMinor: amount + tax, netMinor: amount };
}

/** The paid order in a webhook's object; null when none is in it. */
export function readBagelpayPayment(object: Fields, at: Date | null): PaymentFact | null {
  const order = object.object('order');
  const transactionId = order.text('order_id');
  const status = order.text('status') ?? 'paid';
  if (transactionId === null || status !== 'paid') return null;
  const subscription = object.object('subscription');
  const currency = readCurrency(order.text('currency') ?? object.object('product').text('currency'));
  return {
    kind: 'payment',
    ...readFactBase(object),
    transactionId,
    ...readAmounts(object, currency),
    currency,
    productId: order.text('product_id') ?? object.id('product', 'product_id') ?? object.text('product_id'),
    subscriptionId: object.id('subscription', 'subscription_id') ?? subscription.text('id'),
    periodStart: subscription.time('billing_period_start'),
    periodEnd: subscription.time('billing_period_end'),
    paidAt: order.time('created_at') ?? at,
    match: 'told',
  };
}
