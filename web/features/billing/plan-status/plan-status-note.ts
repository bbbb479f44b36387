import { plans } from 'virtual:plans';
import { brand } from 'virtual:site';
import type { Cycle, PlanKey } from '#contract/billing.ts';
import { type Language, PROVIDER_NAME, type Provider } from '#contract/choices.ts';
import { formatDay } from '#i18n/formats.ts';
import { formatCharge, planOffer } from '#web/features/catalogue/plan-price.ts';
import type { Translate } from '#web/lib/translate.ts';
import type { PlanStatus } from './plan-status.ts';

/** What is to be known before buying a plan beside what one has: when it begins, and what becomes of the credits left. */
export function planStatusNote(
  t: Translate,
  language: Language,
  offer: { plan: PlanKey; cycle: Cycle },
  planStatus: PlanStatus,
): string | null {
  const dateOf = (time: number | null) => (time === null ? '' : formatDay(language, time));
  switch (planStatus.kind) {
    case 'ending': {
      const date = dateOf(planStatus.held.expiresAt);
      return planStatus.held.canResume ? t('pricing.noteEnding', { date }) : t('pricing.noteAgain', { date });
    }
    case 'late':
      return t('pricing.noteLate', { date: dateOf(planStatus.held.expiresAt) });
    case 'upgrade':
      return t('pricing.noteUpgrade', { plan: planName(t, language, planStatus.from) });
    case 'downgrade':
    case 'cycle': {
      const credits = creditsOf(offer);
      const date = dateOf(planStatus.until);
      if (planStatus.kind === 'cycle') return t('pricing.noteCycle', { credits, date });
      return t('pricing.noteDowngrade', { credits, date, plan: planName(t, language, planStatus.from) });
    }
    case 'later':
    case 'noted':
      return t(planStatus.kind === 'later' ? 'pricing.noteLater' : 'pricing.noteNoted', {
        plan: planName(t, language, planStatus.from),
        date: dateOf(planStatus.until),
        opens: dateOf(planStatus.opens),
        amount: priceText(language, { planKey: offer.plan, cycle: offer.cycle }),
      });
    case 'blocked':
      return t('pricing.noteBlocked');
    default:
      return null;
  }
}

/** What the button of a plan says. */
export function actText(
  t: Translate,
  language: Language,
  offer: { plan: PlanKey; cycle: Cycle },
  planStatus: PlanStatus | null,
): string {
  const plan = titleOf(offer.plan, language);
  switch (planStatus?.kind) {
    case 'current':
      return t('pricing.current');
    case 'confirming':
      return t('pricing.confirming');
    case 'noted':
      return t('pricing.noted');
    case 'later':
    case 'downgrade':
      return planStatus.from.planKey === offer.plan
        ? t('pricing.toMonthly')
        : t('pricing.downgrade', { plan });
    case 'upgrade':
    case 'cycle':
      if (planStatus.from.planKey !== offer.plan) return t('pricing.upgrade', { plan });
      return t(offer.cycle === 'annual' ? 'pricing.toAnnual' : 'pricing.toMonthly');
    default:
      return t('pricing.buy', { plan });
  }
}

/** That a payment arrived and is not credited, and what follows; `isBlocked`: nothing can be bought while a dispute is open. */
export function uncreditedText(
  t: Translate,
  { reference, provider }: { reference: string; provider: Provider },
  isBlocked: boolean,
): string {
  return t(isBlocked ? 'subscription.uncreditedDisputed' : 'subscription.uncredited', {
    reference,
    provider: PROVIDER_NAME[provider],
    email: brand.supportEmail,
  });
}

/** What a plan gives in a cycle. */
export function creditsOf({ plan, cycle }: { plan: PlanKey; cycle: Cycle }): number {
  const offered = plans.find(({ key }) => key === plan);
  return offered ? planOffer(offered, cycle).credits : 0;
}

/** What a whole cycle of a plan costs. */
export function priceText(
  language: Language,
  { planKey, cycle }: { planKey: PlanKey; cycle: Cycle },
): string {
  const offered = plans.find(({ key }) => key === planKey);
  return formatCharge(language, offered ? planOffer(offered, cycle).totalUSD : 0);
}

/** A plan with its cycle, as it is called everywhere: `Pro (monthly)`. */
export function planName(
  t: Translate,
  language: Language,
  { planKey, cycle }: { planKey: PlanKey; cycle: Cycle },
): string {
  return t('orders.name', { plan: titleOf(planKey, language), cycle: t(`subscription.cycle.${cycle}`) });
}

/** The name of a plan in a language. */
export function titleOf(plan: PlanKey, language: Language): string {
  return plans.find(({ key }) => key === plan)?.title[language] ?? plan;
}
