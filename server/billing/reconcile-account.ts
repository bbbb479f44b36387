import { applyFacts } from './apply-facts.ts';
import { claimPayments } from './claim-payments.ts';
import { closeOrder } from './close-order.ts';
import type { ConfirmDeps } from './confirm-order.ts';
import { confirmOrder } from './confirm-order.ts';
import type { OrderRow } from './order-store.ts';
import type { Question } from './project-questions.ts';
import { projectUser } from './project-user.ts';
import { setAskAt } from './question-store.ts';
import { readBilling } from './read-billing.ts';
import { nextAsking } from './reconcile-rules.ts';
import { endOfCheckout } from './rules.ts';

/** Of one user in one round; the rest comes with the next one. */
const MOST_QUESTIONS = 20;
/** News of a payment made at the last moment may take this long. */
const AFTERMATH_MS = 10 * 60_000;
/** Whoever clicks again within this time goes on with an order whose checkout was not opened. */
const UNOPENED_MS = 10 * 60_000;

/**
 * Asks the providers all that is open of one user: what became of open orders, renewals that are due, charges told in part. Closes
 * orders whose checkout is over. Then says when to ask again. Whatever fails is logged and asked again.
 */
export async function reconcileAccount(deps: ConfirmDeps, userId: string, askedTimes: number): Promise<void> {
  const { orders, projection } = await readBilling(deps, userId);
  for (const order of orders.filter(({ status }) => status === 'open')) await followUp(deps, order);
  for (const question of projection.questions.slice(0, MOST_QUESTIONS)) await ask(deps, question);
  await projectUser(deps, userId);
  const after = await readBilling(deps, userId);
  const open = after.orders.filter(({ status }) => status === 'open');
  const hasQuestions = after.projection.questions.length > 0;
  const askAt = nextAsking(open, hasQuestions, askedTimes, deps.clock.now());
  await setAskAt(deps.database.sql, userId, askAt, hasQuestions);
}

/** An order without a checkout was cut off by a crash: nobody was sent to its page, so there is nothing to ask. */
async function followUp(deps: ConfirmDeps, order: OrderRow): Promise<void> {
  const age = deps.clock.now().getTime() - order.createdAt.getTime();
  if (order.checkoutId === null && !order.confirming) {
    if (age > UNOPENED_MS) await closeOrder(deps, order, 'failed');
    return;
  }
  const isAnswered = await confirmOrder(deps, order);
  const isOver = deps.clock.now().getTime() > endOfCheckout(order) + AFTERMATH_MS;
  const isKnown = isAnswered || !deps.providers[order.provider];
  if (isOver && isKnown && !order.confirming) await closeOrder(deps, order, 'expired');
}

async function ask(deps: ConfirmDeps, { provider: name, kind, id }: Question): Promise<void> {
  const provider = deps.providers[name];
  if (!provider) return;
  try {
    const told = await (kind === 'subscription'
      ? provider.fetchSubscription(id)
      : provider.fetchTransaction(id));
    await applyFacts(deps, {
      provider: name,
      facts: await claimPayments(deps, name, told),
      source: 'question',
    });
  } catch (error) {
    deps.log.warn({ err: error, provider: name, kind, id }, 'a question to a payment provider failed');
  }
}
