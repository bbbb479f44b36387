import type { Cycle, PlanKey } from '#contract/billing.ts';
import type { Language } from '#contract/choices.ts';
import { formatMoney } from '#i18n/formats.ts';
import { FREE_CREDITS, PLANS, type Plan } from '#server/catalogue/plans.ts';

function planOf(key: PlanKey): Plan {
  const plan = PLANS.find((one) => one.key === key);
  if (!plan) throw new Error(`there is no plan ${key}`);
  return plan;
}

const priceOf = (key: PlanKey, cycle: Cycle) => planOf(key).prices[cycle === 'monthly' ? 0 : 1];

/** The plans that are sold, as their cards are headed. */
export const PLAN_TITLES = {
  gemini_basic: planOf('gemini_basic').title,
  gemini_pro: planOf('gemini_pro').title,
};

/** What a cycle of a plan costs, as pages and mails write it. */
export function amountOf(language: Language, key: PlanKey, cycle: Cycle): string {
  return formatMoney(language, priceOf(key, cycle).totalCents, 'USD');
}

/** The Credits that a cycle of a plan brings. */
export function creditsOf(key: PlanKey, cycle: Cycle): number {
  return priceOf(key, cycle).credits;
}

/** What the header shows right after a first purchase: the free Credits with the plan's. */
export function creditsAfter(key: PlanKey, cycle: Cycle): number {
  return FREE_CREDITS + creditsOf(key, cycle);
}
