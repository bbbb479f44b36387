import type { BillingProjection } from '#server/billing/project-billing.ts';

/** One bucket as the ledger would hold it. */
export interface Booked {
  sourceKey: string;
  paymentKey: string;
  orderId: string;
  amount: number;
  expiresAt: number;
  /** What is taken back in all; it never falls. */
  target: number;
}

export type Ledger = ReadonlyMap<string, Booked>;

/** The ledger after one more projection: what `settleCredits` does with the tables, in memory. */
export function settle(ledger: Ledger, { grants, revocations }: BillingProjection): Ledger {
  const booked = new Map(ledger);
  for (const { sourceKey, paymentKey, orderId, amount, expiresAt } of grants) {
    if (find(booked, sourceKey, paymentKey)) continue;
    booked.set(sourceKey, {
      sourceKey,
      paymentKey,
      orderId,
      amount,
      expiresAt: expiresAt.getTime(),
      target: 0,
    });
  }
  for (const { paymentKey, target } of revocations) {
    const bucket = find(booked, null, paymentKey);
    if (bucket && bucket.target < target) booked.set(bucket.sourceKey, { ...bucket, target });
  }
  return booked;
}

function find(ledger: Ledger, sourceKey: string | null, paymentKey: string): Booked | undefined {
  return [...ledger.values()].find((each) => each.sourceKey === sourceKey || each.paymentKey === paymentKey);
}
