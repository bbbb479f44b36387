import type { Language } from '#contract/choices.ts';
import { planOf } from '#server/catalogue/rules.ts';
import { translate } from '#server/platform/translate.ts';
import type { BillingOrder } from '../projection/link-orders.ts';

/** What was bought, in words: `Pro（按月）`. */
export function presentPlan(language: Language, { planKey, cycle }: BillingOrder): string {
  return translate(language, 'orders.name', {
    plan: planOf(planKey).title[language],
    cycle: translate(language, `subscription.cycle.${cycle}`),
  });
}
