import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '#contract/time.ts';
import { closeOrder } from './orders/close-order.ts';
import { type ConfirmDeps, confirmOrder } from './orders/confirm-order.ts';
import { isCancellationUnderWay } from './state/cancellation-store.ts';
import { isLeaving, type OrderRow, selectOpenOrders } from './state/order-store.ts';
import { projectUser } from './state/project-user.ts';
import { readBilling } from './state/read-billing.ts';
import { runCancellationsOf } from './subscriptions/run-cancellation.ts';

/** Shorter than a user who deletes their account waits for an answer (`DELETION_TIMEOUT_MS`). */
const CANCELLATION_WAIT_MS = 7_000;
const LOOK_MS = 200;
/** No provider is known to try a charge again that failed, when it has said nothing of the subscription for a month. */
const FAILING_MS = 30 * DAY_MS;

/**
 * Ends everything by which a user who leaves could be charged: open checkouts are asked about and closed, every subscription is
 * cancelled at its provider. Returns what it still waits for, null when the providers have said that they will not charge again, or
 * nothing for 30 days of a subscription that was never paid for and fails. May be called again and again. A payment that arrives later
 * is cancelled and set aside.
 */
export async function closeBilling(deps: ConfirmDeps, userId: string): Promise<string | null> {
  if (!(await isLeaving(deps.database.sql, userId))) throw new Error('the user does not leave');
  const unconfirmed = await closeCheckouts(deps, userId);
  await projectUser(deps, userId);
  await runCancellationsOf(deps, userId);
  await waitForCancellations(deps, userId);
  const { projection } = await readBilling(deps, userId);
  const { subscriptions, failing } = projection;
  const since = deps.clock.now().getTime() - FAILING_MS;
  const waiting = failing.filter(({ updatedAt }) => updatedAt > since);
  const renewing = [...subscriptions, ...waiting].find(({ renews }) => renews);
  if (renewing) return `${renewing.provider} has not ended ${renewing.subscriptionId ?? renewing.order.id}`;
  return unconfirmed && `${unconfirmed.provider} has not confirmed order ${unconfirmed.id}`;
}

/** Waits for cancellations that a job has begun. */
async function waitForCancellations({ database, clock }: ConfirmDeps, userId: string): Promise<void> {
  const until = performance.now() + CANCELLATION_WAIT_MS;
  while (performance.now() < until && (await isCancellationUnderWay(database.sql, userId, clock.now())))
    await sleep(LOOK_MS);
}

/** Returns an order whose provider did not answer: it may be paid. */
async function closeCheckouts(deps: ConfirmDeps, userId: string): Promise<OrderRow | null> {
  let unconfirmed: OrderRow | null = null;
  for (const order of await selectOpenOrders(deps.database.sql, userId)) {
    const isConfirmed = order.checkoutUrl === null || (await confirmOrder(deps, order));
    if (isConfirmed) await closeIfOpen(deps, order);
    else unconfirmed = order;
  }
  return unconfirmed;
}

async function closeIfOpen(deps: ConfirmDeps, { id, userId }: OrderRow): Promise<void> {
  const open = await selectOpenOrders(deps.database.sql, userId);
  const order = open.find((each) => each.id === id && !each.confirming);
  if (order) await closeOrder(deps, order, 'expired');
}
