import { DAY_MS } from '#contract/time.ts';
import { grantCredits } from '#server/credits/grant-credits.ts';
import { publishCredits } from '#server/credits/publish-credits.ts';
import { takeCredits } from '#server/credits/take-credits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { requireUser } from '../billing-records/require-user.ts';
import { findEnd } from './act-store.ts';
import { type OrderedAct, recordAct } from './record-act.ts';

export interface CreditChange {
  userId: string;
  /** Above zero: given, for `days`; below: taken. */
  amount: number;
  days: number | null;
}

/**
 * Gives or takes credits by hand, with its note, together or not at all. Throws as `requireUser`, as `recordAct`,
 * `insufficient_credits`, and `account_leaving` where nothing can be given any more.
 */
export async function changeCredits(
  deps: Deps,
  ordered: OrderedAct,
  { userId, amount, days }: CreditChange,
): Promise<void> {
  const { id, email } = await requireUser(deps, userId);
  const at = deps.clock.databaseTime();
  const note = {
    userId: id,
    subject: email,
    moves: { credits: Math.abs(amount) },
  };
  const balance = await deps.database.sql.begin(async (tx) => {
    const line = await recordAct(tx, deps, ordered, note);
    if (amount < 0) return takeCredits(tx, { userId: id, amount: -amount, at });
    const { granted, balance: after } = await grantCredits(tx, {
      kind: 'adjustment',
      reason: 'goodwill',
      sourceKey: `admin:${line}`,
      userId: id,
      amount,
      at,
      expiresAt: await findEnd(tx, (days ?? 0) * DAY_MS, at),
    });
    if (!granted) throw new AppError('account_leaving');
    return after;
  });
  publishCredits(deps.bus, id, balance);
}
