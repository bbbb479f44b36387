import type { Money } from '#contract/admin/screens.ts';
import { orderCursorSchema } from '#server/billing/orders/list-orders.ts';
import type { Deps } from '#server/deps.ts';
import { done, type Outcome, type Run } from './act-commands.ts';
import { listProposals } from './acts/list-proposals.ts';
import { writeMoney } from './billing-records/present-fact.ts';
import { type CommandName, parseOption } from './parse-command.ts';
import { presentMore } from './present-sections.ts';
import { listLosses, lossCursorSchema } from './screens/list-losses.ts';
import { listOrderLines } from './screens/list-order-lines.ts';

/** Commands that show what the console's screens about orders, disputes and acts that wait show. */
export const MONEY_COMMANDS = {
  orders: showOrders,
  disputes: showDisputes,
  proposals: showProposals,
} satisfies Partial<Record<CommandName, Run>>;

async function showOrders(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const { name, status } = command;
  const cursor = parseOption(name, '--cursor', command.cursor, orderCursorSchema);
  const { uncredited, orders, nextCursor } = await listOrderLines(deps, { status, cursor });
  const unpaidFor = uncredited.map(({ provider, transactionId, paid, reason, foundAt, userId, orderId }) => ({
    found_at: new Date(foundAt),
    payment_key: `${provider}:${transactionId}`,
    paid: textOf(paid),
    reason,
    user: userId,
    order: orderId,
  }));
  const rows = orders.map(
    ({ id, number, email, userId, provider, plan, cycle, price, status, ...order }) => ({
      id,
      number,
      user: email ?? userId,
      provider,
      plan,
      cycle,
      price: textOf(price),
      status,
      created: new Date(order.createdAt),
      paid: order.paidAt === null ? null : new Date(order.paidAt),
    }),
  );
  return done([
    ...(cursor === null ? [{ title: '已收款未入账 Paid, not credited', rows: unpaidFor }] : []),
    { title: '订单 Orders', rows },
    ...presentMore(nextCursor),
  ]);
}

async function showDisputes(...[deps, { name, cursor }]: Parameters<Run>): Promise<Outcome> {
  const { losses, nextCursor } = await listLosses(
    deps,
    parseOption(name, '--cursor', cursor, lossCursorSchema),
  );
  const rows = losses.map(({ userId, email, paymentKey, reason, target, taken, isOpen }) => ({
    user: email ?? userId,
    payment_key: paymentKey,
    reason,
    open: isOpen,
    revoke_target: target,
    revoked: taken,
  }));
  return done([{ title: '争议与退款 Disputes and refunds', rows }, ...presentMore(nextCursor)]);
}

/** Whoever has the command line needs no agreement, so that there is nothing to decide here. */
async function showProposals(deps: Deps): Promise<Outcome> {
  const proposals = await listProposals(deps, null);
  const rows = proposals.map(({ id, act: { act, ...details }, proposedAt, proposedBy, who, reason }) => ({
    id,
    asked_at: new Date(proposedAt),
    actor: proposedBy,
    act,
    user: who,
    reason,
    details,
  }));
  return done([{ title: '待审批的操作 Waiting for approval', rows }]);
}

/** Null: it is not known. */
function textOf(money: Money | null): string | null {
  return money && writeMoney(money);
}
