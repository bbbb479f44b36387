import { STATUS_RANK, type SubscriptionFact, type SubscriptionStatus } from '../facts.ts';
import { type Fields, lookUp } from '../fields.ts';
import { readFactBase } from './read-payment.ts';

const STATUSES: Record<string, SubscriptionStatus> = {
  active: 'active',
  trialing: 'trialing',
  paused: 'paused',
  past_due: 'past_due',
  unpaid: 'unpaid',
  expired: 'expired',
  canceled: 'canceled',
  cancelled: 'canceled',
};

/** `impliedStatus` is the status that the type of a webhook implies, for objects without one. */
export function readBagelpaySubscription(
  object: Fields,
  around: { owner: Fields; impliedStatus: string | null; at: Date | null },
): SubscriptionFact | null {
  const subscriptionId = object.text('subscription_id') ?? object.text('id');
  const updatedAt = object.time('updated_at') ?? around.at ?? object.time('created_at');
  if (subscriptionId === null || updatedAt === null) return null;
  const status = object.word('status', STATUSES) ?? lookUp(STATUSES, around.impliedStatus) ?? 'unknown';
  const owner = readFactBase(around.owner);
  const own = readFactBase(object);
  return {
    kind: 'subscription',
    mode: own.mode ?? owner.mode,
    orderId: own.orderId ?? owner.orderId,
    customerId: own.customerId ?? owner.customerId,
    customerEmail: own.customerEmail ?? owner.customerEmail,
    subscriptionId,
    status,
    rank: STATUS_RANK[status],
    productId:
      object.text('product_id') ??
      around.owner.text('product_id') ??
      around.owner.object('product').text('product_id'),
    periodStart: object.time('billing_period_start') ?? object.time('trial_start'),
    periodEnd: object.time('billing_period_end') ?? object.time('trial_end'),
    cancelAt: status === 'canceled' ? (object.time('cancel_at') ?? updatedAt) : null,
    updatedAt,
  };
}
