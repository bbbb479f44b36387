import type { Act, ActName } from '#contract/admin/acts.ts';
import { revokeAllSessions } from '#server/accounts/sessions/revoke-all-sessions.ts';
import { compareOrder } from '#server/billing/compare-order.ts';
import { clearDispute } from '#server/billing/subscriptions/clear-dispute.ts';
import { pauseModel, resumeModel } from '#server/catalogue/pause-model.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { requireSecretAndProviders } from '../billing-records/require-providers.ts';
import { isSameAct } from './act-rules.ts';
import { findRecorded } from './act-store.ts';
import { changeCredits } from './change-credits.ts';
import { changePriceByHand } from './change-price-by-hand.ts';
import { type OrderedAct, Repeated, recordAct, recordFirst } from './record-act.ts';
import { refundByHand, resumeRefund } from './refund-by-hand.ts';
import { replayByHand, resumeReplay } from './replay-by-hand.ts';

/** Acts that judge what providers said. */
const NEEDS_PROVIDERS: readonly ActName[] = ['refund', 'clear_dispute', 'adopt_order', 'replay'];
/** The acts that do something after they are recorded, and again when they are repeated. */
const RESUMED: readonly ActName[] = ['refund', 'adopt_order', 'replay'];

type CarryOut<N extends ActName> = (
  deps: Deps,
  ordered: OrderedAct,
  act: Extract<Act, { act: N }>,
) => Promise<void>;

const ACTS: { [N in ActName]: CarryOut<N> } = {
  grant: (deps, ordered, { userId, credits, days }) =>
    changeCredits(deps, ordered, { userId, amount: credits, days }),
  take: (deps, ordered, { userId, credits }) =>
    changeCredits(deps, ordered, { userId, amount: -credits, days: null }),
  refund: refundByHand,
  clear_dispute: async (deps, ordered, { userId, paymentKey }) =>
    clearDispute(deps, userId, paymentKey, (tx) =>
      recordAct(tx, deps, ordered, { userId, subject: paymentKey, moves: {} }),
    ),
  adopt_order: async (deps, ordered, { orderId }) => {
    await compareOrder(deps, orderId, ({ userId }) =>
      recordFirst(deps, ordered, { userId, subject: orderId, moves: {} }),
    );
  },
  replay: replayByHand,
  sign_out: async (deps, ordered, { userId }) =>
    revokeAllSessions(deps, userId, (tx, subject) =>
      recordAct(tx, deps, ordered, { userId, subject, moves: {} }),
    ),
  pause_model: (deps, ordered, { model }) =>
    pauseModel(deps, model, (tx) =>
      recordAct(tx, deps, ordered, { userId: null, subject: model, moves: {} }),
    ),
  resume_model: (deps, ordered, { model }) =>
    resumeModel(deps, model, (tx) =>
      recordAct(tx, deps, ordered, { userId: null, subject: model, moves: {} }),
    ),
  set_price: changePriceByHand,
  withdraw_price: (deps, ordered, act) => changePriceByHand(deps, ordered, { ...act, cost: null }),
};

/**
 * Carries an act out, once: the same id again does nothing more. Throws `SecondOperatorNeeded`; `not_found`, `insufficient_credits`,
 * `account_leaving`, `not_configured`, `conflict`, `price_too_soon`, `ProviderError` for what cannot be done; `act_under_way` for a
 * refund that a provider was just asked for; `key_reused` for an id of another act.
 */
export async function runAct(deps: Deps, ordered: OrderedAct): Promise<void> {
  if (await findRecorded(deps.database.sql, ordered.id)) return repeat(deps, ordered);
  if (NEEDS_PROVIDERS.includes(ordered.act.act)) await requireSecretAndProviders(deps);
  try {
    const carryOut = ACTS[ordered.act.act] as CarryOut<ActName>;
    await carryOut(deps, ordered, ordered.act);
  } catch (error) {
    if (!(error instanceof Repeated)) throw error;
    await repeat(deps, ordered);
  }
}

/** What is committed with its note is done. What comes after its note may not have come: done twice, it changes nothing more. */
async function repeat(deps: Deps, { id, act, reason, by: { operatorId } }: OrderedAct): Promise<void> {
  const recorded = await findRecorded(deps.database.sql, id);
  if (!recorded || !isSameAct(recorded, { act, reason, operatorId })) throw new AppError('key_reused');
  if (RESUMED.includes(act.act)) await requireSecretAndProviders(deps);
  if (act.act === 'refund') await resumeRefund(deps, { ...recorded, ...act, id });
  if (act.act === 'adopt_order') await compareOrder(deps, act.orderId, async () => {});
  if (act.act === 'replay') await resumeReplay(deps, act.inboxId);
}
