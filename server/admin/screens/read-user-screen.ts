import type { UserScreen } from '#contract/admin/screens.ts';
import { readBilling } from '#server/billing/state/read-billing.ts';
import { listLines } from '#server/credits/list-entries.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { listCharges } from '../billing-records/read-charge.ts';
import { requireProviders } from '../billing-records/require-providers.ts';
import { countSessions, sumSpendable } from '../billing-records/store.ts';
import { presentAudit, presentOrderLine, presentUser, timeOf } from './present-screen.ts';
import { findUser, selectAuditLines, selectBuckets, selectOrderLines } from './screen-store.ts';

const LINES = 50;

/** All that an operator sees of one user; nothing that they wrote. Changes nothing. Throws `not_found`. */
export async function readUserScreen(deps: Deps, userId: string): Promise<UserScreen> {
  const { sql } = deps.database;
  await requireProviders(deps);
  const user = await findUser(sql, userId);
  if (!user) throw new AppError('not_found');
  const billing = await readBilling(deps, userId);
  const buckets = await selectBuckets(sql, userId, LINES);
  const orders = await selectOrderLines(sql, { status: null, userId, before: null, limit: LINES });
  const audit = await selectAuditLines(sql, { userId, actor: null, act: null, before: null, limit: LINES });
  const entries = await listLines(deps, userId, LINES);
  return {
    user: {
      ...presentUser(user),
      emailVerified: user.emailVerified,
      leavingAt: timeOf(user.leavingAt),
      deletedAt: timeOf(user.deletedAt),
    },
    credits: {
      balance: await sumSpendable(sql, userId, deps.clock.databaseTime()),
      buckets: buckets.map(({ startsAt: _, endsAt, ...bucket }) => ({ ...bucket, endsAt: endsAt.getTime() })),
      entries: entries.map(({ time, kind, amount, balanceAfter, reason }) => ({
        at: time,
        kind,
        amount,
        balanceAfter,
        reason,
      })),
    },
    orders: orders.map(presentOrderLine),
    subscriptions: billing.projection.subscriptions.map(
      ({ order, subscriptionId, provider, state, renews, paidUntil }) => ({
        subscriptionId,
        provider,
        plan: order.planKey,
        cycle: order.cycle,
        state,
        renews,
        paidUntil,
      }),
    ),
    charges: listCharges(deps, billing).map(({ left: _, paidAt, ...charge }) => ({
      ...charge,
      paidAt: timeOf(paidAt),
    })),
    setAside: billing.projection.quarantine.map(({ subject, reason }) => ({ subject, reason })),
    sessions: await countSessions(sql, userId),
    audit: audit.map(presentAudit),
  };
}
