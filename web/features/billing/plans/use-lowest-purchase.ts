import { useQuery } from '@tanstack/react-query';
import type { Cycle, PlanKey } from '#contract/billing.ts';
import type { CataloguePlan } from '#contract/catalogue.ts';
import { isDowngrade } from '#contract/plan-rank.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';

interface Terms {
  planKey: PlanKey;
  cycle: Cycle;
}

/** What is charged once, in US dollars, and the Credits that it grants for a whole cycle. */
interface Purchase extends Terms {
  totalUSD: number;
  credits: number;
}

/** The purchase that is charged the least among those that are more than what the reader has; null: none is, or none can be paid for. */
export function useLowestPurchase(): Purchase | null {
  const session = useSession();
  const { data } = useQuery(catalogueQuery);
  if (!data || data.providers.length === 0) return null;
  const held = session.state === 'signed-in' ? session.user.subscription : null;
  return lowestPurchase(data.plans, held?.active ? held : null);
}

function lowestPurchase(plans: readonly CataloguePlan[], held: Terms | null): Purchase | null {
  const purchases = plans.flatMap(({ key, prices }) =>
    key === null
      ? []
      : prices.map(({ cycle, totalUSD, credits }) => ({ planKey: key, cycle, totalUSD, credits })),
  );
  const more = purchases.filter((to) => held === null || !(isSame(held, to) || isDowngrade(held, to)));
  return more.toSorted((one, other) => one.totalUSD - other.totalUSD)[0] ?? null;
}

function isSame(one: Terms, other: Terms): boolean {
  return one.planKey === other.planKey && one.cycle === other.cycle;
}
