import type { ComparisonScreen } from '#contract/admin/screens.ts';
import { compareOrder } from '#server/billing/compare-order.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { compareProjections } from '../billing-records/compare-projections.ts';
import { presentFact } from '../billing-records/present-fact.ts';
import { requireProviders } from '../billing-records/require-providers.ts';
import { presentOrderLine } from './present-screen.ts';
import { findUser } from './screen-store.ts';

/** What the provider says now of an order, beside what we have. Changes nothing. Throws as `compareOrder`. */
export async function readComparison(deps: Deps, orderId: string): Promise<ComparisonScreen> {
  await requireProviders(deps);
  const comparison = await compareOrder(deps, orderId);
  const { order, answered } = comparison;
  const user = await findUser(deps.database.sql, order.userId);
  if (!user) throw new AppError('not_found');
  return {
    order: presentOrderLine({ ...order, email: user.email }),
    answered: answered.map(({ fact, isKnown }) => ({ ...presentFact(fact), isKnown })),
    differences: compareProjections(comparison),
  };
}
