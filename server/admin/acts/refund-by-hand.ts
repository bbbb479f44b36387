import type { Act } from '#contract/admin/acts.ts';
import { refundCharge } from '#server/billing/subscriptions/refund-charge.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { readCharge } from '../records/read-charge.ts';
import { isRefundAsked, lockAct } from './act-store.ts';
import { type OrderedAct, recordAct } from './record-act.ts';

/** How long a call of a provider may be under way. */
const UNDER_WAY_MS = 60_000;

type Refund = Extract<Act, { act: 'refund' }>;

/**
 * Notes the refund of all that is left of a charge, then asks its provider for it. Throws as `recordAct` and `refundCharge`;
 * `conflict` when nothing is left, `not_configured`, `act_under_way` when it was asked for a moment ago.
 */
export async function refundByHand(
  deps: Deps,
  ordered: OrderedAct,
  { userId, paymentKey }: Refund,
): Promise<void> {
  const { left, canRefund } = await readCharge(deps, userId, paymentKey);
  if (left === 0) throw new AppError('conflict');
  if (!canRefund) throw new AppError('not_configured', { setting: `${paymentKey.split(':')[0]} refund` });
  await deps.database.sql.begin(async (tx) => {
    await lockAct(tx, paymentKey);
    const since = new Date(deps.clock.now().getTime() - UNDER_WAY_MS);
    if (await isRefundAsked(tx, paymentKey, ordered.id, since)) throw new AppError('act_under_way');
    await recordAct(tx, deps, ordered, { userId, subject: paymentKey, moves: { minor: left } });
  });
  await refundCharge(deps, userId, paymentKey);
}

/** Asks again for a refund that was noted and has not happened. Throws `act_under_way` in its first minute. */
export async function resumeRefund(deps: Deps, { userId, paymentKey }: Refund, notedAt: Date): Promise<void> {
  const { left } = await readCharge(deps, userId, paymentKey);
  if (left === 0) return;
  if (deps.clock.now().getTime() - notedAt.getTime() < UNDER_WAY_MS) throw new AppError('act_under_way');
  await refundCharge(deps, userId, paymentKey);
}
