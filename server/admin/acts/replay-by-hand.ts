import type { Act } from '#contract/admin/acts.ts';
import { replayWebhook } from '#server/billing/inbox/replay-webhook.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { findInboxStatus } from '../billing-records/store.ts';
import { type OrderedAct, recordFirst } from './record-act.ts';

/** Reads a webhook again. Throws `not_found`. */
export async function replayByHand(
  deps: Deps,
  ordered: OrderedAct,
  { inboxId }: Extract<Act, { act: 'replay' }>,
): Promise<void> {
  if (!(await findInboxStatus(deps.database.sql, inboxId))) throw new AppError('not_found');
  await recordFirst(deps, ordered, { userId: null, subject: inboxId, moves: {} });
  await replayWebhook(deps, inboxId);
}

/** For an act that was noted, and perhaps not carried out. */
export async function resumeReplay(deps: Deps, inboxId: string): Promise<void> {
  await replayWebhook(deps, inboxId);
}
