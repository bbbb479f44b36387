import type { Executor } from '#server/platform/database/database.ts';
import { type GrantRow, insertBucket, selectGrants } from './store.ts';

export interface Grant {
  userId: string;
  /** A live `subscription` bucket keeps free months from beginning; an `adjustment` is an operator's correction. */
  kind: 'subscription' | 'adjustment';
  /** What is granted for, once per user: `creem:sub_1:2026-09-01T00:00:00Z`, `admin:ticket-7`. */
  sourceKey: string;
  /** The provider's charge, once in the world; refunds name it. */
  paymentKey?: string;
  orderId?: string;
  /** Credits, 1 to 1,000,000. */
  amount: number;
  /** The paid period is `[startsAt, expiresAt)`; credits can be spent from the moment they are booked. */
  startsAt?: Date;
  expiresAt: Date;
  /** A code of `ledger.reason` in `i18n/`. */
  reason: string;
  at: Date | null;
}

/**
 * Grants credits once per source and once per payment, however often it is called; `granted` is false when there is nothing
 * new. A grant whose period is over already is booked and expires at once. `balance` is spendable credits afterwards.
 */
export function grantCredits(tx: Executor, grant: Grant): Promise<{ granted: boolean; balance: number }> {
  return insertBucket(tx, {
    ...grant,
    paymentKey: grant.paymentKey ?? null,
    orderId: grant.orderId ?? null,
    startsAt: grant.startsAt ?? null,
  });
}

export type { GrantRow };

/** What paid periods granted the user so far, and how much of it is to be taken back. Credits. */
export function listGrants(sql: Executor, userId: string): Promise<GrantRow[]> {
  return selectGrants(sql, userId);
}
