import { type Period, SAME_PERIOD_MS } from '../facts/period-rules.ts';
import type { ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { PaidPeriod } from './link-orders.ts';
import { isLost, projectLoss } from './project-loss.ts';

/** One period of an order, and every charge that pays it. */
export interface PaidGroup extends Period {
  /** On the terms that the charges pay. */
  order: PaidPeriod['order'];
  /** Sorted by time; at least one. */
  charges: PaidPeriod[];
}

/**
 * Charges by the period they pay: those of one order for the same plan and cycle whose periods begin within a week of the first.
 * `paid` is sorted by time, as `linkOrders` gives it.
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

/** What remains of a period: it stands while one of its charges does. */
export function standingOf(
  snapshot: ProviderSnapshot,
  { charges }: PaidGroup,
): 'standing' | 'refunded' | 'disputed' {
  const losses = charges.map((charge) => projectLoss(snapshot, charge));
  if (!losses.every(isLost)) return 'standing';
  return losses.some(({ isDisputed }) => isDisputed) ? 'disputed' : 'refunded';
}
