import { closeOrder } from '#server/billing/orders/close-order.ts';
import type { Fact } from '#server/billing/providers/facts.ts';
import type { ReceivedFacts } from '#server/billing/state/apply-facts.ts';
import { applyFacts } from '#server/billing/state/apply-facts.ts';
import { insertOrder, lockAccount, saveCheckout } from '#server/billing/state/order-store.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import { newId } from '#server/platform/ids.ts';
import type { openBilling } from './billing.ts';
import { type History, playHistory } from './history.ts';
import { BEGIN, USER } from './world.ts';

type World = Awaited<ReturnType<typeof openBilling>>;
type Names = readonly (readonly [from: string, to: string])[];

/** A history as the inbox applies it: what a webhook left out of a payment was asked for before. */
export function playCompleted(numbers: readonly number[]): History {
  const history = playHistory(numbers);
  const all = history.deliveries.flatMap(({ facts }) => facts);
  const complete = (fact: Fact) =>
    fact.kind !== 'payment' || fact.periodStart
      ? fact
      : (all.find(
          (one) =>
            one.kind === 'payment' && one.periodStart !== null && one.transactionId === fact.transactionId,
        ) ?? fact);
  return {
    ...history,
    deliveries: history.deliveries.map((each) => ({ ...each, facts: each.facts.map(complete) })),
  };
}

/**
 * Puts a history's orders into a database, of a new user who signed up when it begins, all of them given up so that buying the
 * same again is possible in whatever order is reported. It has a clock of its own, at the end of the history.
 */
export async function plantHistory({ sql, deps: shared, clock: common, buyer }: World, history: History) {
  common.time = new Date(BEGIN);
  const user = await buyer();
  const clock = { time: new Date(history.end), now: () => clock.time, databaseTime: () => clock.time };
  const deps = { ...shared, clock };
  const { orders } = history;
  const names: Names = [[USER, user.userId], ...orders.map(({ id }) => [id, newId()] as const)];
  const back = names.map(([theirs, ours]) => [ours, theirs] as const);
  await lockAccount(sql, user.userId);
  for (const { checkoutId, ...order } of renamed(orders, names)) {
    const placed = await insertOrder(sql, order);
    const session = { checkoutId: checkoutId ?? '', redirectUrl: 'http://127.0.0.1/pay', expiresAt: null };
    await saveCheckout(sql, order.id, session);
    await closeOrder(deps, placed, 'expired');
  }

  return {
    userId: user.userId,
    clock,
    deps,
    balance: () => readBalance(deps, user.userId),
    /** Applies what is reported in the history's ids, message by message. */
    async tell(told: readonly Omit<ReceivedFacts, 'source'>[], through = deps) {
      for (const { provider, facts } of told)
        await applyFacts(through, { provider, facts: renamed(facts, names), source: 'webhook' });
    },
    /** What payments left in the tables and still want done, in the history's ids. */
    async state() {
      const cancellations = await sql`
        select provider, subscription_id, period_end, reason from billing.cancellations
         where user_id = ${user.userId} and done_at is null order by 1, 2, 4`;
      return renamed({ ...(await user.state()), cancellations: [...cancellations] }, back);
    },
  };
}

/** A copy in which names stand for each other, also within longer texts. */
function renamed<T>(value: T, names: Names): T {
  if (typeof value === 'string')
    return names.reduce<string>((text, [from, to]) => text.replaceAll(from, to), value) as T;
  if (Array.isArray(value)) return value.map((each) => renamed(each, names)) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, renamed(each as unknown, names)]);
  return Object.fromEntries(entries) as T;
}
