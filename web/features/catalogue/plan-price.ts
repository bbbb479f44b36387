import type { Cycle } from '#contract/billing.ts';
import type { CataloguePlan } from '#contract/catalogue.ts';
import type { Language } from '#contract/choices.ts';
import { formatMoney } from '#i18n/formats.ts';

/** One cycle of a plan as its card shows it; money in US dollars. */
export interface PlanOffer {
  monthlyUSD: number;
  /** Charged for the whole cycle. */
  totalUSD: number;
  /** Granted for the whole cycle; for Free each month. */
  credits: number;
  /** What a year costs less than twelve single months; 0 when nothing. */
  savedUSD: number;
  savedPercent: number;
}

/** What a plan costs and grants in a cycle, and what paying by the year truly saves. */
export function planOffer(plan: CataloguePlan, cycle: Cycle): PlanOffer {
  const price = plan.prices.find((one) => one.cycle === cycle);
  if (!price) throw new Error(`plan ${plan.tier} has no ${cycle} price`);
  const monthly = plan.prices.find((one) => one.cycle === 'monthly') ?? price;
  const twelveMonths = monthly.monthlyUSD * 12;
  const saved = cycle === 'annual' ? Math.max(0, twelveMonths - price.totalUSD) : 0;
  return {
    monthlyUSD: price.monthlyUSD,
    totalUSD: price.totalUSD,
    credits: price.credits,
    savedUSD: saved,
    savedPercent: twelveMonths === 0 ? 0 : Math.round((saved / twelveMonths) * 100),
  };
}

/** How many messages of a model at `cost` some credits pay for. */
export function messagesFor(credits: number, cost: number): number {
  return Math.floor(credits / cost);
}

/** What a plan costs a month, in US dollars with one decimal, as the specification shows it: `$4.9`; nothing is `$0`. */
export function formatMonthly(amount: number): string {
  return amount === 0 ? '$0' : `$${amount.toFixed(1)}`;
}

/** What is charged, in US dollars with their cents, as receipts write it: `$58.80`. */
export function formatCharge(language: Language, amount: number): string {
  return formatMoney(language, Math.round(amount * 100), 'USD');
}

/** What is saved, which nobody is charged: whole dollars stand without cents, `$24`. */
export function formatSaving(language: Language, amount: number): string {
  return formatCharge(language, amount).replace(/\.00$/, '');
}
