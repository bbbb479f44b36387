import type {
  Act,
  ActEffect,
  ActName,
  ActPreview,
  PausePreview,
  PricePreview,
} from '#contract/admin/acts.ts';
import { compareOrder } from '#server/billing/compare-order.ts';
import { listGrants } from '#server/credits/grant-credits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { compareProjections } from '../billing-records/compare-projections.ts';
import { readCharge } from '../billing-records/read-charge.ts';
import { requireUser } from '../billing-records/require-user.ts';
import { countSessions, findInboxStatus, sumSpendable, sumUnspent } from '../billing-records/store.ts';
import { previewPause, previewResume } from '../models/preview-pause.ts';
import { previewPrice } from '../models/preview-price.ts';
import type { Operator } from '../operators/require-operator.ts';
import { needsSecondOperator } from './act-rules.ts';
import { movesOf } from './change-price-by-hand.ts';
import { type Note, readMoved } from './record-act.ts';

interface Effects extends Pick<Note, 'userId' | 'moves'> {
  effects: ActEffect[];
  pause?: PausePreview;
  price?: PricePreview;
}

type Preview<N extends ActName> = (deps: Deps, act: Extract<Act, { act: N }>) => Promise<Effects>;

const PREVIEWS: { [N in ActName]: Preview<N> } = {
  grant: (deps, { userId, credits }) => changeOf(deps, userId, credits),
  take: (deps, { userId, credits }) => changeOf(deps, userId, -credits),
  async refund(deps, { userId, paymentKey }) {
    const { left, canRefund } = await readCharge(deps, userId, paymentKey);
    if (left !== 0 && !canRefund)
      throw new AppError('not_configured', { setting: `${paymentKey.split(':')[0]} refund` });
    const grant = (await listGrants(deps.database.sql, userId)).find(
      (each) => each.paymentKey === paymentKey,
    );
    const effects: ActEffect[] = [{ what: 'refund_minor', before: left, after: 0 }];
    if (grant) {
      const unspent = await sumUnspent(deps.database.sql, userId, paymentKey);
      effects.push(
        { what: 'taken_back', before: grant.revokeTarget, after: grant.amount },
        { what: 'unspent', before: unspent, after: 0 },
      );
    }
    return { effects, userId, moves: { minor: left } };
  },
  async clear_dispute(deps, { userId, paymentKey }) {
    const { isDisputed } = await readCharge(deps, userId, paymentKey);
    return { effects: [{ what: 'blocked', before: isDisputed, after: false }], userId, moves: {} };
  },
  async adopt_order(deps, { orderId }) {
    const comparison = await compareOrder(deps, orderId);
    const before = compareProjections(comparison).length;
    return {
      effects: [{ what: 'differences', before, after: 0 }],
      userId: comparison.order.userId,
      moves: {},
    };
  },
  async replay({ database }, { inboxId }) {
    const status = await findInboxStatus(database.sql, inboxId);
    if (!status) throw new AppError('not_found');
    return {
      effects: [{ what: 'inbox_status', before: status.status, after: null }],
      userId: null,
      moves: {},
    };
  },
  async sign_out(deps, { userId }) {
    await requireUser(deps, userId);
    const before = await countSessions(deps.database.sql, userId);
    return { effects: [{ what: 'sessions', before, after: 0 }], userId, moves: {} };
  },
  pause_model: async (deps, { model }) => ({
    ...(await previewPause(deps, model)),
    userId: null,
    moves: {},
  }),
  resume_model: async (deps, { model }) => ({
    effects: await previewResume(deps, model),
    userId: null,
    moves: {},
  }),
  set_price: effectsOfPrice,
  withdraw_price: (deps, act) => effectsOfPrice(deps, { ...act, cost: null }),
};

/** What an act would change now, and whether a second operator has to agree. Changes nothing. Throws as `runAct`. */
export async function previewAct(deps: Deps, operator: Operator, act: Act): Promise<ActPreview> {
  const preview = PREVIEWS[act.act] as Preview<ActName>;
  const { effects, userId, moves, ...more } = await preview(deps, act);
  const operatorId = operator.userId;
  const moved = await readMoved(deps.database.sql, deps, operatorId);
  const judged = { operatorId, agreedBy: null, userId, moves, moved };
  return { effects, needsSecondOperator: needsSecondOperator(judged, deps.config.operator), ...more };
}

async function changeOf(deps: Deps, userId: string, change: number): Promise<Effects> {
  const user = await requireUser(deps, userId);
  if (change > 0 && user.leavingAt !== null) throw new AppError('account_leaving');
  const before = await sumSpendable(deps.database.sql, userId, deps.clock.databaseTime());
  const after = before + change;
  if (after < 0) throw new AppError('insufficient_credits', { needed: -change, balance: before });
  return { effects: [{ what: 'balance', before, after }], userId, moves: { credits: Math.abs(change) } };
}

async function effectsOfPrice(deps: Deps, change: Parameters<typeof previewPrice>[1]): Promise<Effects> {
  const { planned, ...shown } = await previewPrice(deps, change);
  return { ...shown, userId: null, moves: movesOf(planned, change) };
}
