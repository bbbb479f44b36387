import type { BillingProjection } from '#server/billing/projection/project-billing.ts';
import type { GrantRow } from '#server/credits/grant-credits.ts';

/** The buckets of paid periods as the ledger would hold them. */
export type Ledger = readonly GrantRow[];

/** The ledger after one more projection: what `applyCredits` does with the tables, in memory. */
export function settle(ledger: Ledger, { grants, revocations }: BillingProjection): Ledger {
  const booked = ledger.map((each) => ({ ...each }));
  for (const { sourceKey, paymentKey, orderId, amount, startsAt, expiresAt } of grants) {
    if (booked.some((each) => each.sourceKey === sourceKey || each.paymentKey === paymentKey)) continue;
    booked.push({
      sourceKey,
      paymentKey,
      orderId,
      amount,
      startsAt,
      expiresAt,
      revokeTarget: 0,
      byHand: 0,
    });
  }
  for (const { paymentKey, revokeTarget, mayFall } of revocations) {
    const bucket = booked.find((each) => each.paymentKey === paymentKey);
    if (bucket && (bucket.revokeTarget < revokeTarget || mayFall)) bucket.revokeTarget = revokeTarget;
  }
  return booked.sort((a, b) => (a.sourceKey < b.sourceKey ? -1 : 1));
}
