import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#server/errors.ts';
import type { ConfirmDeps } from '../orders/confirm-order.ts';
import type { ProjectedSubscription } from '../projection/project-subscriptions.ts';
import { applyFacts } from '../state/apply-facts.ts';
import { withdrawCancellation } from '../state/cancellation-store.ts';
import type { Billing } from '../state/read-billing.ts';

/** Longer than the call that cancels may take, and shorter than a browser waits. */
const UNDER_WAY_MS = 25_000;
const LOOK_MS = 200;

/**
 * Takes back a cancellation that the provider has not confirmed, once no try to send it is under way. It may have it all the same, so it
 * is asked. False: there was none. Throws `resume_not_possible` where it is not its user's, and `conflict` where a try goes on for long.
 */
export async function takeBackCancellation(
  deps: ConfirmDeps,
  userId: string,
  { endings }: Billing,
  { provider: name, subscriptionId }: ProjectedSubscription & { subscriptionId: string },
): Promise<boolean> {
  const ending = endings.get(`${name}:${subscriptionId}`);
  if (!ending) return false;
  if (!ending.byUser) throw new AppError('resume_not_possible');
  const wanted = { provider: name, subscriptionId };
  const until = performance.now() + UNDER_WAY_MS;
  while (!(await withdrawCancellation(deps.database.sql, userId, wanted, deps.clock.now()))) {
    if (performance.now() > until) throw new AppError('conflict');
    await sleep(LOOK_MS);
  }
  const facts = (await deps.providers[name]?.fetchSubscription(subscriptionId).catch(() => [])) ?? [];
  await applyFacts(deps, { provider: name, facts, source: 'question' });
  return true;
}
