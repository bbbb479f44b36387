import { readMode } from '../envelope.ts';
import type { CheckoutFact, CheckoutStatus, Fact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import { readCurrency } from '../money.ts';

const STATUSES: Record<string, CheckoutStatus> = {
  pending: 'open',
  processing: 'open',
  completed: 'completed',
  expired: 'expired',
};

/** Our order's id: the `request_id`, which metadata repeats. */
export function orderIdOf(object: Fields): string | null {
  return object.text('request_id') ?? object.object('metadata').text('order_id');
}

function readOneTimePayment(object: Fields, checkout: CheckoutFact): Fact[] {
  const order = object.object('order');
  const transactionId = order.id('transaction') ?? order.text('id');
  const isPaid = order.text('status') === 'paid' && order.text('type') === 'onetime';
  if (!isPaid || transactionId === null || checkout.subscriptionId !== null) return [];
  const { mode, orderId, customerId, customerEmail, productId } = checkout;
  const net = order.whole('amount');
  return [
    {
      kind: 'payment',
      mode,
      orderId,
      customerId,
      customerEmail,
      productId,
      subscriptionId: null,
      transactionId,
      amountMinor: order.whole('amount_paid') ?? order.whole('amount_due'),
      netMinor: net,
      currency: readCurrency(order.text('currency')),
      periodStart: null,
      periodEnd: null,
      paidAt: order.time('created_at'),
      match: 'told',
    },
  ];
}

/** The facts of a `checkout` object. For a subscription it only binds; `subscription.paid` says what is paid. */
export function readCreemCheckout(object: Fields, at: Date | null): Fact[] {
  const status = object.word('status', STATUSES);
  if (!status) return [{ kind: 'unknown', type: 'checkout', reason: 'a checkout with an unknown status' }];
  const checkout: CheckoutFact = {
    kind: 'checkout',
    mode: readMode(object.text('mode')),
    orderId: orderIdOf(object),
    customerId: object.id('customer'),
    customerEmail: object.object('customer').text('email'),
    checkoutId: object.text('id'),
    status,
    productId: object.id('product'),
    subscriptionId: object.id('subscription'),
    userId: object.object('metadata').text('user_id'),
    at: object.object('order').time('created_at') ?? at,
  };
  return [checkout, ...readOneTimePayment(object, checkout)];
}
