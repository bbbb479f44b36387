import { grantCredits } from '#server/credits/grant-credits.ts';
import { publishCredits } from '#server/credits/publish-credits.ts';
import { takeCredits } from '#server/credits/take-credits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Section } from './present-sections.ts';
import { type AdminUser, insertAudit } from './store.ts';

const DAY_MS = 86_400_000;

export interface CreditChange {
  user: AdminUser;
  /** Above zero: given, for `days`; below: taken. */
  amount: number;
  days: number;
  reason: string;
  actor: string;
}

/** Gives or takes credits by hand, with its note, together or not at all. Throws `insufficient_credits`, and `account_leaving` where nothing can be given
 * any more. */
export async function changeCredits(deps: Deps, change: CreditChange): Promise<Section[]> {
  const { user, amount, days, reason, actor } = change;
  const now = deps.clock.now();
  const at = deps.clock.databaseTime();
  const act = amount > 0 ? 'grant' : 'take';
  const balance = await deps.database.sql.begin(async (tx) => {
    const details = amount > 0 ? { credits: amount, days } : { credits: -amount };
    const note = await insertAudit(tx, {
      actor,
      act,
      userId: user.id,
      subject: user.email,
      reason,
      details,
      at: now,
    });
    if (amount < 0) return takeCredits(tx, { userId: user.id, amount: -amount, at });
    const grant = { kind: 'adjustment', reason: 'goodwill', sourceKey: `admin:${note}` } as const;
    const expiresAt = new Date(now.getTime() + days * DAY_MS);
    const { granted, balance: after } = await grantCredits(tx, {
      ...grant,
      userId: user.id,
      amount,
      expiresAt,
      at,
    });
    if (!granted) throw new AppError('account_leaving');
    return after;
  });
  publishCredits(deps.bus, user.id, balance);
  return [
    amount > 0
      ? `已给 ${user.email} ${amount} Credits，${days} 天内有效，余额 ${balance}。Gave ${amount} credits for ${days} days; the balance is ${balance}.`
      : `已从 ${user.email} 收回 ${-amount} Credits，余额 ${balance}。Took ${-amount} credits; the balance is ${balance}.`,
  ];
}
