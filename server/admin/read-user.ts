import { readBilling } from '#server/billing/state/read-billing.ts';
import { listEntries } from '#server/credits/list-entries.ts';
import type { Deps } from '#server/deps.ts';
import { presentStored, writeMoney } from './billing-records/present-fact.ts';
import {
  type AdminUser,
  findAccount,
  selectAudit,
  selectBuckets,
  selectCancellations,
  selectFacts,
} from './billing-records/store.ts';
import type { Section } from './present-sections.ts';

const LINES = 30;

/** All that an operator sees of one user: purchases, facts of the providers, credits, and the acts of operators. */
export async function readUser(deps: Deps, user: AdminUser): Promise<Section[]> {
  const { sql } = deps.database;
  const { orders, projection } = await readBilling(deps, user.id);
  const facts = await selectFacts(sql, user.id, LINES);
  const account = await findAccount(sql, user.id);
  const ledger = await listEntries(deps, user.id, { cursor: null, limit: LINES });
  const { subscriptions, quarantine, questions } = projection;
  return [
    { title: '用户 User', rows: [{ ...user, balance: ledger.balance }] },
    { title: '付款账号 Billing account', rows: account ? [account] : [] },
    {
      title: '订单 Orders',
      rows: orders.map(
        ({ id, provider, planKey, cycle, priceMinor, currency, status, confirming, createdAt, paidAt }) => ({
          id,
          provider,
          plan: planKey,
          cycle,
          price: writeMoney({ currency, minor: priceMinor }),
          status: confirming ? `${status} (confirming)` : status,
          created: createdAt,
          paid: paidAt,
        }),
      ),
    },
    {
      title: '订阅 Subscriptions',
      rows: subscriptions.map(
        ({ order, provider, subscriptionId, state, renews, paidUntil, accessUntil }) => ({
          order: order.id,
          provider,
          subject: subscriptionId,
          plan: order.planKey,
          cycle: order.cycle,
          state,
          renews,
          paid_until: timeOf(paidUntil),
          access_until: timeOf(accessUntil),
        }),
      ),
    },
    { title: '待核对 Quarantine', rows: quarantine.map((each) => ({ ...each })) },
    { title: '待询问 Questions', rows: questions.map((each) => ({ ...each })) },
    { title: '取消 Cancellations', rows: await selectCancellations(sql, user.id) },
    { title: '争议 Disputes', rows: projection.disputes.map((key) => ({ payment_key: key })) },
    {
      title: `支付平台所述（最近 ${LINES} 条）Facts (last ${LINES})`,
      rows: facts.map(presentStored),
    },
    { title: '额度 Grants', rows: await selectBuckets(sql, user.id) },
    {
      title: `明细（最近 ${LINES} 条）Ledger (last ${LINES})`,
      rows: ledger.entries.map(({ time, kind, amount, balanceAfter, reason, orderId, messageId }) => ({
        at: new Date(time),
        kind,
        amount,
        balance: balanceAfter,
        reason,
        order: orderId,
        message: messageId,
      })),
    },
    { title: '人工操作 Done by hand', rows: await selectAudit(sql, user.id) },
  ];
}

function timeOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
