import { type Period, SAME_PERIOD_MS } from '../facts/period-rules.ts';
import type { ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { PaidPeriod } from './link-orders.ts';
import { isLost, projectLoss } from './project-loss.ts';

/** One period of an order, and every charge that pays it. */
export interface PaidGroup extends Period {
  /** The order on the terms that the charges pay. */
  order: PaidPeriod['order'];
  /** The charges, sorted by time; at least one. */
  charges: PaidPeriod[];
}

/**
 * Groups charges by the period that they pay. Charges of one order for the same plan and cycle whose periods begin within a week of the
 * first are one period: two charges of 2026-09-01 and 2026-09-03 pay September once. `paid` is sorted by time, as `linkOrders` returns
 * it.
 */
export function mergePeriods(paid: readonly PaidPeriod[]): PaidGroup[] {
  const groups: PaidGroup[] = [];
  for (const charge of paid) {
    const group = groups.find(
      (each) => isSameThing(each, charge) && charge.start - each.start < SAME_PERIOD_MS,
    );
    if (!group) {
      const { order, start, end } = charge;
      groups.push({ order, start, end, charges: [charge] });
      continue;
    }
    group.charges.push(charge);
    group.end = Math.max(group.end, charge.end);
  }
  return groups;
}

function isSameThing({ order: left }: Pick<PaidGroup, 'order'>, { order: right }: PaidPeriod): boolean {
  return left.id === right.id && left.planKey === right.planKey && left.cycle === right.cycle;
}

/** The state of a period: it is lost only when all of its charges are. */
export function standingOf(
  snapshot: ProviderSnapshot,
  { charges }: PaidGroup,
): 'standing' | 'refunded' | 'disputed' {
  const losses = charges.map((charge) => projectLoss(snapshot, charge));
  if (!losses.every(isLost)) return 'standing';
  return losses.some(({ isDisputed }) => isDisputed) ? 'disputed' : 'refunded';
}
