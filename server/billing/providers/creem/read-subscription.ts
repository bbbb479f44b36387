import { readMode } from '../envelope.ts';
import { STATUS_RANK, type SubscriptionFact, type SubscriptionStatus } from '../facts.ts';
import { type Fields, lookUp } from '../fields.ts';

const STATUSES: Record<string, SubscriptionStatus> = {
  trialing: 'trialing',
  active: 'active',
  scheduled_cancel: 'scheduled_cancel',
  past_due: 'past_due',
  unpaid: 'unpaid',
  incomplete: 'unpaid',
  paused: 'paused',
  expired: 'expired',
  canceled: 'canceled',
};

/** The webhook that a subscription came with; null when we asked for it. */
export interface SubscriptionNews {
  type: string;
  at: Date | null;
}

/** `subscription.expired` comes with an object that still says active; every other event with one that agrees. */
function statusOf(object: Fields, news: SubscriptionNews | null): SubscriptionStatus {
  const impliedStatus = news?.type.replace('subscription.', '') ?? '';
  if (impliedStatus === 'expired') return 'expired';
  return object.word('status', STATUSES) ?? lookUp(STATUSES, impliedStatus) ?? 'unknown';
}

/** When it stops renewing. `canceled_at` is only read of a canceled one: samples of active ones have it too. */
function cancelAtOf(status: SubscriptionStatus, object: Fields): Date | null {
  if (status === 'scheduled_cancel') return object.time('current_period_end_date');
  return status === 'canceled' ? object.time('canceled_at') : null;
}

function updatedAtOf(status: SubscriptionStatus, object: Fields, news: SubscriptionNews | null): Date | null {
  const updated = object.time('updated_at');
  if (status !== 'expired' || !updated || !news?.at) return updated ?? news?.at ?? null;
  return new Date(Math.max(updated.getTime(), news.at.getTime()));
}

/** The snapshot in a `subscription` object; null when it has no id or no time, so that it cannot be placed. */
export function readCreemSubscription(
  object: Fields,
  news: SubscriptionNews | null,
): SubscriptionFact | null {
  const subscriptionId = object.text('id');
  const status = statusOf(object, news);
  const updatedAt = updatedAtOf(status, object, news);
  if (subscriptionId === null || updatedAt === null) return null;
  return {
    kind: 'subscription',
    mode: readMode(object.text('mode')),
    orderId: object.object('metadata').text('order_id'),
    customerId: object.id('customer'),
    customerEmail: object.object('customer').text('email'),
    subscriptionId,
    status,
    rank: STATUS_RANK[status],
    productId: object.id('product'),
    periodStart: object.time('current_period_start_date'),
    periodEnd: object.time('current_period_end_date'),
    cancelAt: cancelAtOf(status, object),
    updatedAt,
  };
}
