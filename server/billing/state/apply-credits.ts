import type { GrantRow } from '#server/credits/grant-credits.ts';
import { grantCredits } from '#server/credits/grant-credits.ts';
import { pauseFreeMonths } from '#server/credits/pause-free-months.ts';
import { restoreCredits, revokeCredits } from '#server/credits/revoke-credits.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import type { BillingProjection } from '../projection/project-billing.ts';
import type { WantedGrant } from '../projection/project-grants.ts';

type Wanted = Pick<BillingProjection, 'grants' | 'revocations' | 'freePausedUntil'> & {
  /** The state of the ledger. */
  booked: readonly GrantRow[];
};

/**
 * Books the grants and revocations that are missing in the ledger, and sets until when no free month begins. Returns the spendable
 * Credits where they changed. A charge that was refunded before its grant is granted and taken back; Credits taken back of a period that
 * another charge turns out to pay are returned. What an operator took by hand stays taken.
 */
export async function applyCredits(
  { clock }: Pick<Deps, 'clock'>,
  tx: Executor,
  userId: string,
  { grants, revocations, freePausedUntil, booked }: Wanted,
): Promise<number | null> {
  const at = clock.databaseTime();
  let balance: number | null = null;
  const standing = new Map(booked.map((each) => [each.paymentKey, each]));
  for (const grant of grants) {
    if (booked.some((each) => isSame(each, grant))) continue;
    const result = await grantCredits(tx, {
      ...grant,
      userId,
      kind: 'subscription',
      reason: 'subscription',
      at,
    });
    if (!result.granted) continue;
    balance = result.balance;
    standing.set(grant.paymentKey, { ...grant, revokeTarget: 0, byHand: 0 });
  }
  for (const { paymentKey, revokeTarget, reason, mayFall } of revocations) {
    const bucket = standing.get(paymentKey);
    if (!bucket) continue;
    const before = bucket.revokeTarget - bucket.byHand;
    const wanted = Math.min(revokeTarget, bucket.amount - bucket.byHand);
    const revocation = { userId, paymentKey, revokeTarget, at };
    if (before < wanted) balance = (await revokeCredits(tx, { ...revocation, reason })).balance;
    if (before > wanted && mayFall) balance = (await restoreCredits(tx, revocation)).balance;
  }
  await pauseFreeMonths(tx, userId, freePausedUntil);
  return balance;
}

function isSame(
  booked: { sourceKey: string; paymentKey: string | null },
  { sourceKey, paymentKey }: WantedGrant,
): boolean {
  return booked.sourceKey === sourceKey || booked.paymentKey === paymentKey;
}
