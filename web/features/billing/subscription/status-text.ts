import type { BilledSubscription, HeldSubscription } from '#contract/billing.ts';
import { type Language, PROVIDER_NAME } from '#contract/choices.ts';
import { DAY_MS } from '#contract/time.ts';
import { formatDay, formatMoney } from '#i18n/formats.ts';
import type { Translate } from '#web/lib/translate.ts';
import { titleOf } from '../plan-status/plan-status-note.ts';

type Named = Pick<BilledSubscription, 'planKey' | 'cycle'>;

/** A plan with where it stands, in a few words for the status panel; `isOwed`: it was paid, and is not credited. */
export function statusText(
  t: Translate,
  language: Language,
  held: Named & Pick<BilledSubscription, 'active' | 'state'>,
  isOwed: boolean,
): string {
  const plan = titleOf(held.planKey, language);
  const cycle = t(`subscription.cycle.${held.cycle}`);
  switch (held.state) {
    case 'pending':
      return t(isOwed ? 'subscription.stateHeld' : 'subscription.statePending', { plan });
    case 'scheduled_cancel':
      return t('subscription.stateEnding', { plan, cycle });
    case 'past_due':
      return t('subscription.statePastDue', { plan, cycle });
    case 'refunded':
      return t('subscription.stateRefunded', { plan });
    case 'disputed':
      return t('subscription.stateDisputed', { plan });
    default:
      return held.active ? t('subscription.active', { plan, cycle }) : t('subscription.expired', { plan });
  }
}

/** What happens to a subscription next, and when; `isOwed` as above. */
export function outlookText(
  t: Translate,
  language: Language,
  held: HeldSubscription,
  isOwed: boolean,
): string {
  const date = held.expiresAt === null ? t('subscription.none') : formatDay(language, held.expiresAt);
  const provider = PROVIDER_NAME[held.provider];
  if (held.state === 'pending') return t(isOwed ? 'subscription.held' : 'subscription.confirming');
  if (held.state === 'disputed') return t('subscription.disputedNote');
  if (held.state === 'refunded') return t('subscription.refundedNote');
  if (!held.active) return held.renews ? t('subscription.overdue', { provider }) : t('subscription.ended');
  if (held.cancelling) return t('subscription.cancelling', { provider, date });
  if (held.state === 'past_due' && held.renews) return t('subscription.pastDue', { date });
  if (!held.renews) return t('subscription.endsOn', { date });
  if (!held.renewal) return t('subscription.renewsOn', { date });
  const amount = formatMoney(language, held.renewal.amountMinor, held.renewal.currency);
  return t('subscription.renewsFor', { date, amount });
}

/** What a subscription is called: plan, cycle, provider. */
export function heldName(t: Translate, language: Language, held: HeldSubscription): string {
  return t('subscription.heldName', {
    plan: titleOf(held.planKey, language),
    cycle: t(`subscription.cycle.${held.cycle}`),
    provider: PROVIDER_NAME[held.provider],
  });
}

/** Days until an expiry, both in epoch milliseconds: rounded up, never below 0 (specification, section 9). */
export function daysLeft(expiresAt: number, now: number): number {
  return Math.max(0, Math.ceil((expiresAt - now) / DAY_MS));
}
