import { dayOf } from '#contract/time.ts';
import type { ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { Booking, PaidPeriod } from './link-orders.ts';
import { mergePeriods, type PaidGroup } from './merge-periods.ts';
import { isLost, projectLoss } from './project-loss.ts';

/** A bucket that a paid period entitles to; `grantCredits` books it once. */
export interface WantedGrant {
  /** The order and the day on which the period begins, `creem:<order>:2026-09-01`: unique, so that one period makes one bucket. */
  sourceKey: string;
  /** The charge, `creem:tran_1`: unique, so that one charge makes one bucket. */
  paymentKey: string;
  orderId: string;
  /** Credits. */
  amount: number;
  startsAt: Date;
  expiresAt: Date;
}

/** How many Credits of a charge's bucket are to be taken back in all. */
export interface WantedRevocation {
  paymentKey: string;
  orderId: string;
  /** Credits. */
  revokeTarget: number;
  reason: 'refund' | 'dispute';
  /** Whether the target may fall below what was taken back before, because another charge for the same period stands. */
  mayFall: boolean;
}

/** The grants and revocations of the paid periods, and `twice`: charges of a period that another charge had paid already. */
export interface ProjectedGrants {
  grants: WantedGrant[];
  revocations: WantedRevocation[];
  twice: PaidPeriod[];
}

/**
 * One bucket for each paid period, whichever of its charges made it; `booked` are those that stand in the ledger. If several
 * charges paid one period, the charge with the smallest loss decides what is taken back.
 */
export function projectGrants(
  snapshot: ProviderSnapshot,
  paid: readonly PaidPeriod[],
  booked: readonly Booking[] = [],
): ProjectedGrants {
  const bookings = new Map(booked.map((each) => [each.paymentKey, each]));
  const projected: ProjectedGrants = { grants: [], revocations: [], twice: [] };
  for (const group of mergePeriods(paid)) {
    const made = group.charges.filter(({ paymentKey }) => bookings.has(paymentKey));
    const holders = made.length > 0 ? made : group.charges.slice(0, 1);
    for (const holder of holders) {
      projected.grants.push(grantFor(group, holder, bookings.get(holder.paymentKey)));
      const others = holders.length > 1 ? [holder] : group.charges;
      projected.revocations.push(...revocationOf(snapshot, holder, others));
    }
    projected.twice.push(...listTwice(snapshot, group, holders));
  }
  return projected;
}

function grantFor(
  group: PaidGroup,
  { paymentKey, order, isSwitched }: PaidPeriod,
  booking?: Booking,
): WantedGrant {
  const day = dayOf(group.start);
  const plan = isSwitched ? `:${order.planKey}:${order.cycle}` : '';
  return {
    sourceKey: booking?.sourceKey ?? `${order.provider}:${order.id}:${day}${plan}`,
    paymentKey,
    orderId: order.id,
    amount: order.credits,
    startsAt: new Date(group.start),
    expiresAt: new Date(group.end),
  };
}

/** If several charges paid one period, the charge with the smallest loss decides. A dispute takes all, a refund its share. */
function revocationOf(
  snapshot: ProviderSnapshot,
  holder: PaidPeriod,
  charges: readonly PaidPeriod[],
): WantedRevocation[] {
  const losses = charges.map((charge) => projectLoss(snapshot, charge));
  const revokeTarget = Math.min(...losses.map(({ credits }) => credits));
  const mayFall = charges.length > 1;
  if (revokeTarget === 0 && !mayFall) return [];
  const isDisputed = losses.every(isLost) && losses.some((loss) => loss.isDisputed);
  const { paymentKey, order } = holder;
  return [
    { paymentKey, orderId: order.id, revokeTarget, reason: isDisputed ? 'dispute' : 'refund', mayFall },
  ];
}

/** Charges that stand and grant nothing, because another one that stands pays for the same period. */
function listTwice(
  snapshot: ProviderSnapshot,
  { charges }: PaidGroup,
  holders: readonly PaidPeriod[],
): PaidPeriod[] {
  const standing = charges.filter((charge) => !isLost(projectLoss(snapshot, charge)));
  const paying = standing.filter((charge) => holders.includes(charge));
  const counted = paying.length > 0 ? paying : standing.slice(0, 1);
  return standing.filter((charge) => !counted.includes(charge));
}
