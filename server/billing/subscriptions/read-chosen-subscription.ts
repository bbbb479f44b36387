import type { SubscriptionChoice } from '#contract/billing.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { ProjectedSubscription } from '../projection/project-subscriptions.ts';
import { type Billing, readBilling } from '../state/read-billing.ts';

/** The subscription that an order began and that still renews, else any of it; the shown one without an order. Throws `not_found`. */
export async function readChosenSubscription(
  deps: Pick<Deps, 'database' | 'clock' | 'config' | 'providers'>,
  userId: string,
  { orderId }: SubscriptionChoice,
): Promise<{ chosen: ProjectedSubscription; billing: Billing }> {
  const billing = await readBilling(deps, userId);
  const all = billing.projection.subscriptions;
  const fitting = orderId === undefined ? all.slice(0, 1) : all.filter(({ order }) => order.id === orderId);
  const chosen = fitting.find(({ renews }) => renews) ?? fitting[0];
  if (!chosen) throw new AppError('not_found');
  return { chosen, billing };
}
