import type { Executor } from '#server/platform/database/database.ts';
import { lowerRevokeTarget, raiseRevokeTarget } from './store.ts';

export type Revocation = {
  userId: string;
  /** Credits of the grant to take back in all, over every refund and dispute so far. Only `restoreCredits` lowers it. */
  revokeTarget: number;
  /** A code of `ledger.reason` in `i18n/`. */
  reason: string;
  at: Date | null;
} & ({ paymentKey: string; sourceKey?: never } | { sourceKey: string; paymentKey?: never });

export interface Revoked {
  /** False when no grant has this key (yet): repeat after the grant. */
  known: boolean;
  /** Credits of the grant taken back so far; what running messages hold is added when it comes back. */
  taken: number;
  balance: number;
}

/**
 * Takes a grant back as far as its credits are unspent. The balance never falls below zero: what was spent stays visible in
 * the view `credit.unrecovered`. An equal or lower target changes nothing, so events may come in any order and number.
 */
export function revokeCredits(tx: Executor, revocation: Revocation): Promise<Revoked> {
  return raiseRevokeTarget(tx, {
    ...revocation,
    paymentKey: revocation.paymentKey ?? null,
    sourceKey: revocation.sourceKey ?? null,
  });
}

/**
 * Lowers the target of a revocation to `revokeTarget` credits, and returns the Credits that were taken beyond it, because another charge
 * turned out to pay for the same period. Credits of a bucket that has ended meanwhile expire at once. A higher target or an unknown grant
 * changes nothing.
 */
export function restoreCredits(
  tx: Executor,
  restoration: { userId: string; paymentKey: string; revokeTarget: number; at: Date | null },
): Promise<{ given: number; balance: number }> {
  return lowerRevokeTarget(tx, restoration);
}
