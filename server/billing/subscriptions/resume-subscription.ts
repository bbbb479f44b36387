import type { BillingStatus, SubscriptionChoice } from '#contract/billing.ts';
import type { Language } from '#contract/choices.ts';
import { AppError } from '#server/errors.ts';
import type { ConfirmDeps } from '../orders/confirm-order.ts';
import { limitProviderCalls } from '../orders/limit-provider-calls.ts';
import { presentProviderFault } from '../orders/present-provider-fault.ts';
import { isReplaced } from '../projection/project-cancellations.ts';
import { isLive, type ProjectedSubscription } from '../projection/project-subscriptions.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { applyFacts } from '../state/apply-facts.ts';
import { deleteWish } from '../state/plan-wish-store.ts';
import type { Billing } from '../state/read-billing.ts';
import { readBillingStatus } from './read-billing-status.ts';
import { readChosenSubscription } from './read-chosen-subscription.ts';
import { takeBackCancellation } from './take-back-cancellation.ts';

/**
 * Lets a subscription that was cancelled go on. Nothing changes for one that goes on anyway. Throws `not_found`,
 * `subscription_replaced` when a later purchase took its place, `resume_not_possible` when it ended or its provider cannot,
 * `conflict` when it is still not known how its cancellation ends, `payment_provider_failed`.
 */
export async function resumeSubscription(
  deps: ConfirmDeps,
  userId: string,
  choice: SubscriptionChoice,
  language: Language,
): Promise<BillingStatus> {
  await limitProviderCalls(deps, userId);
  const found = await readChosenSubscription(deps, userId, choice);
  const now = deps.clock.now().getTime();
  const subscriptionId = refuseFinal(found, now);
  const takesBack =
    found.chosen.renews &&
    (await takeBackCancellation(deps, userId, found.billing, { ...found.chosen, subscriptionId }));
  const { chosen, billing } = takesBack
    ? await readChosenSubscription(deps, userId, { orderId: found.chosen.order.id })
    : found;
  if (!chosen.renews) await resumeAtProvider(deps, { ...chosen, subscriptionId }, billing, language);
  await deleteWish(deps.database.sql, userId);
  return readBillingStatus(deps, userId);
}

/** Asks the provider of a subscription that is to end there to let it go on. Throws as `resumeSubscription`. */
async function resumeAtProvider(
  deps: ConfirmDeps,
  { provider: name, subscriptionId }: ProjectedSubscription & { subscriptionId: string },
  billing: Billing,
  language: Language,
): Promise<void> {
  const provider = deps.providers[name];
  const status = billing.snapshot.subscriptions.get(`${name}:${subscriptionId}`)?.latest?.status;
  if (!provider?.offers.resume || status !== 'scheduled_cancel') throw new AppError('resume_not_possible');
  await resume(deps, provider, subscriptionId, language);
}

/** The provider's id of a subscription that may continue. Throws for one that was replaced, refunded or is over. */
function refuseFinal(
  { chosen, billing }: Awaited<ReturnType<typeof readChosenSubscription>>,
  now: number,
): string {
  if (isReplaced(chosen, billing.projection.subscriptions, now)) throw new AppError('subscription_replaced');
  if (chosen.subscriptionId === null || !isLive(chosen, now) || chosen.lastRefunded)
    throw new AppError('resume_not_possible');
  return chosen.subscriptionId;
}

/** Whatever the provider answered, or whether it did: how the subscription stands there now is what counts. */
async function resume(
  deps: ConfirmDeps,
  provider: PaymentProvider,
  subscriptionId: string,
  language: Language,
): Promise<void> {
  const { name } = provider;
  try {
    const done = await provider.resumeSubscription(subscriptionId);
    if (done.result === 'unsupported') throw new AppError('resume_not_possible');
    await applyFacts(deps, { provider: name, facts: done.facts, source: 'question' });
  } catch (error) {
    if (error instanceof AppError) throw error;
    const facts = await provider.fetchSubscription(subscriptionId).catch(() => []);
    await applyFacts(deps, { provider: name, facts, source: 'question' });
    const goesOn = facts.some((fact) => fact.kind === 'subscription' && fact.status === 'active');
    if (!goesOn)
      throw new AppError('payment_provider_failed', presentProviderFault(error, language), { cause: error });
  }
}
