import type { Cycle } from '#contract/billing.ts';
import type { CataloguePlan } from '#contract/catalogue.ts';

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

/** US dollars with one decimal, as the specification shows them: `$4.9`; nothing is `$0`. */
export function formatUSD(amount: number): string {
  return amount === 0 ? '$0' : `$${amount.toFixed(1)}`;
}

/** What is saved, which is no price: whole dollars stand without a decimal, `$24`. */
export function formatSaving(amount: number): string {
  return formatUSD(amount).replace(/\.0$/, '');
}
