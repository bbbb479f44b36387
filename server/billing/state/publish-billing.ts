import { publishCredits } from '#server/credits/publish-credits.ts';
import type { Deps } from '#server/deps.ts';
import { userTopic } from '#server/platform/database/bus.ts';
import type { OrderRow } from './order-store.ts';
import { presentSubscription } from './present.ts';
import { presentOrder } from './present-order.ts';
import type { SubscriptionRow } from './store.ts';

/** What changed for a user. */
export interface BillingNews {
  orders: readonly OrderRow[];
  /** The subscription; null: there is none any more; undefined: it is unchanged. */
  subscription: SubscriptionRow | null | undefined;
  /** Spendable credits; null: as they were. */
  balance: number | null;
}

/** Notifies every open tab of the user of what changed. */
export function publishBilling(
  { bus, clock }: Pick<Deps, 'bus' | 'clock'>,
  userId: string,
  { orders, subscription, balance }: BillingNews,
) {
  const topic = userTopic(userId);
  if (balance !== null) publishCredits(bus, userId, balance);
  if (subscription !== undefined) {
    const presented = subscription && presentSubscription(subscription, clock.now());
    bus.publish(topic, { type: 'subscription', ...presented });
  }
  for (const order of orders) bus.publish(topic, { type: 'order', ...presentOrder(order) });
}
