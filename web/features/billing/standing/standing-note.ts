import { plans } from 'virtual:plans';
import type { Cycle, PlanKey } from '#contract/billing.ts';
import { planOffer } from '#web/features/catalogue/plan-price.ts';
import { type Language, languageTag } from '#web/lib/language.ts';
import type { Translate } from '#web/lib/translate.ts';
import type { PlanStanding } from './plan-standing.ts';

/** What is to be known before buying a plan beside what one has: when it begins, and what becomes of the credits left. */
export function standingNote(
  t: Translate,
  language: Language,
  offer: { plan: PlanKey; cycle: Cycle },
  standing: PlanStanding,
): string | null {
  const dates = new Intl.DateTimeFormat(languageTag(language), { dateStyle: 'long' });
  const dateOf = (time: number | null) => (time === null ? '' : dates.format(time));
  switch (standing.kind) {
    case 'ending': {
      const date = dateOf(standing.held.expiresAt);
      return standing.held.canResume ? t('pricing.noteEnding', { date }) : t('pricing.noteAgain', { date });
    }
    case 'late':
      return t('pricing.noteLate', { date: dateOf(standing.held.expiresAt) });
    case 'upgrade':
      return t('pricing.noteUpgrade', { plan: titleOf(standing.from, language) });
    case 'downgrade':
    case 'cycle': {
      const credits = creditsOf(offer);
      const date = dateOf(standing.until);
      if (standing.kind === 'cycle') return t('pricing.noteCycle', { credits, date });
      return t('pricing.noteDowngrade', { credits, date, plan: titleOf(standing.from, language) });
    }
    case 'later':
      return t('pricing.noteLater', { plan: titleOf(standing.from, language), date: dateOf(standing.until) });
    case 'noted':
      return t('pricing.noteNoted', {
        plan: titleOf(standing.from, language),
        date: dateOf(standing.until),
        opens: dateOf(standing.opens),
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
  standing: PlanStanding | null,
): string {
  const plan = titleOf(offer.plan, language);
  switch (standing?.kind) {
    case 'current':
      return t('pricing.current');
    case 'confirming':
      return t('pricing.confirming');
    case 'upgrade':
      return t('pricing.upgrade', { plan });
    case 'noted':
      return t('pricing.noted');
    case 'later':
    case 'downgrade':
      return standing.from === offer.plan ? t('pricing.toMonthly') : t('pricing.downgrade', { plan });
    case 'cycle':
      return t(offer.cycle === 'annual' ? 'pricing.toAnnual' : 'pricing.toMonthly');
    default:
      return t('pricing.buy', { plan });
  }
}

export function creditsOf({ plan, cycle }: { plan: PlanKey; cycle: Cycle }): number {
  const offered = plans.find(({ key }) => key === plan);
  return offered ? planOffer(offered, cycle).credits : 0;
}

/** The name of a plan in a language. */
export function titleOf(plan: PlanKey, language: Language): string {
  return plans.find(({ key }) => key === plan)?.title[language] ?? plan;
}
