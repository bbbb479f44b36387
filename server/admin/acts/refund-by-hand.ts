import type { Act } from '#contract/admin/acts.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { ProviderError } from '#server/billing/providers/provider-error.ts';
import { refundCharge } from '#server/billing/subscriptions/refund-charge.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { type Charge, readCharge } from '../billing-records/read-charge.ts';
import { insertAudit } from '../billing-records/store.ts';
import { findFailure, isRefundAsked, lockAct, type NotedRefund, selectOpenRefunds } from './act-store.ts';
import { type OrderedAct, recordAct } from './record-act.ts';

/** Longer than the three calls of a provider can take, with their repetitions. */
const UNDER_WAY = { max: 1, windowSeconds: 180 };
const UNDER_WAY_MS = UNDER_WAY.windowSeconds * 1_000;
/** After so long a provider knows its earlier refund: it refuses a refund that it has done already. */
const SETTLED_MS = HOUR_MS;
/** How long an unconfirmed refund is asked for again. */
const RESUMED_FOR_MS = 3 * DAY_MS;
const MAX_RESUMED = 100;
/** Between two tries without an operator, in seconds: a quarter of the refund's age, within these. */
const [MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS] = [UNDER_WAY.windowSeconds, 3_600];

type Refund = Extract<Act, { act: 'refund' }>;

/**
 * Notes the refund of all that is left of a charge, then asks its provider for it. Throws as `recordAct` and `refundCharge`;
 * `conflict` when nothing is left, `not_configured`, `act_under_way` while another act asks for it.
 */
export async function refundByHand(
  deps: Deps,
  ordered: OrderedAct,
  { userId, paymentKey }: Refund,
): Promise<void> {
  const { left, canRefund } = await readCharge(deps, userId, paymentKey);
  if (left === 0) throw new AppError('conflict');
  if (!canRefund) throw new AppError('not_configured', { setting: `${paymentKey.split(':')[0]} refund` });
  const at = deps.clock.now();
  await deps.database.sql.begin(async (tx) => {
    await lockAct(tx, paymentKey);
    const since = new Date(at.getTime() - RESUMED_FOR_MS);
    if (await isRefundAsked(tx, { userId, paymentKey }, ordered.id, since))
      throw new AppError('act_under_way');
    await recordAct(tx, deps, ordered, { userId, subject: paymentKey, moves: { minor: left } });
  });
  const { id, reason, by } = ordered;
  const noted = { id, userId, paymentKey, reason, at, actor: by.name, operatorId: by.operatorId };
  await askProvider(deps, noted, { isFirst: true });
}

/**
 * Asks again for a refund that was noted and has not happened; one caller at a time. Throws `act_under_way` where a provider may still be
 * asked by another one, the refusal of the provider, and as `refundCharge`.
 */
export async function resumeRefund(deps: Deps, noted: NotedRefund): Promise<void> {
  const { database, clock } = deps;
  const { id, userId, paymentKey, at } = noted;
  const charge = await readCharge(deps, userId, paymentKey);
  if (charge.left === 0) return;
  const failure = await findFailure(database.sql, userId, id);
  if (failure !== null) throw refusalOf(charge, failure);
  const isYoung = clock.now().getTime() - at.getTime() < UNDER_WAY_MS;
  if (isYoung || (await takeRateLimit(database.sql, `refund:${id}`, UNDER_WAY, clock.databaseTime())) > 0)
    throw new AppError('act_under_way');
  await askProvider(deps, noted, { isFirst: false });
}

/** Asks again for refunds that were noted and have not happened: the provider was away, or the process ended. */
export async function resumeRefunds(deps: Deps): Promise<void> {
  const { database, clock, log } = deps;
  const now = clock.now().getTime();
  const noted = await selectOpenRefunds(database.sql, {
    since: new Date(now - RESUMED_FOR_MS),
    until: new Date(now - UNDER_WAY_MS),
    limit: MAX_RESUMED,
  });
  for (const refund of noted) {
    const { id: actId, userId, paymentKey, at } = refund;
    const pause = (now - at.getTime()) / 4_000;
    const windowSeconds = Math.floor(Math.min(MAX_PAUSE_SECONDS, Math.max(MIN_PAUSE_SECONDS, pause)));
    const isTooSoon = await takeRateLimit(
      database.sql,
      `refund-pause:${actId}`,
      { max: 1, windowSeconds },
      clock.databaseTime(),
    );
    if (isTooSoon > 0) continue;
    try {
      await resumeRefund(deps, refund);
    } catch (err) {
      if (err instanceof AppError && err.code === 'act_under_way') continue;
      log.warn({ err, actId, userId, paymentKey }, 'a refund that was agreed to is not made yet');
    }
  }
}

async function askProvider(deps: Deps, noted: NotedRefund, { isFirst }: { isFirst: boolean }) {
  const refusal = await refundCharge(deps, noted.userId, noted.paymentKey);
  if (!refusal) return;
  const age = deps.clock.now().getTime() - noted.at.getTime();
  if (isFirst || age > SETTLED_MS) await recordFailure(deps, noted, refusal.message);
  throw refusal;
}

/** Notes that the provider refused a refund, once: it is not asked again, and counts no more. */
async function recordFailure({ database, clock }: Deps, noted: NotedRefund, error: string): Promise<void> {
  const { id, userId, paymentKey, operatorId, actor, reason } = noted;
  await database.sql.begin(async (tx) => {
    await lockAct(tx, id);
    if ((await findFailure(tx, userId, id)) !== null) return;
    await insertAudit(tx, {
      actId: null,
      operatorId,
      actor,
      act: 'refund_failed',
      userId,
      subject: paymentKey,
      reason,
      details: { actId: id, error },
      at: clock.now(),
    });
  });
}

function refusalOf({ provider }: Charge, message: string): ProviderError {
  return new ProviderError(provider, 'refused', null, message);
}
