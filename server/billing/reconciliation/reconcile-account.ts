import type { Provider } from '#contract/choices.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { selectUnboundCharges } from '../facts/fact-store.ts';
import { matchPayments } from '../facts/match-payments.ts';
import { closeOrder } from '../orders/close-order.ts';
import { type ConfirmDeps, confirmOrder, mayAsk } from '../orders/confirm-order.ts';
import { isCheckoutOver, mayBePaid } from '../orders/order-rules.ts';
import type { Question } from '../projection/project-questions.ts';
import { applyFacts } from '../state/apply-facts.ts';
import type { OrderRow } from '../state/order-store.ts';
import { finishPoll, type Poll } from '../state/poll-store.ts';
import { projectUser } from '../state/project-user.ts';
import { type Billing, readBilling } from '../state/read-billing.ts';
import { nextPoll } from './reconcile-rules.ts';

/** Of one user in one round; the rest comes with the next one. */
const MAX_QUESTIONS = 20;
/** Charges of the day before a renewal was due are known. */
const RENEWAL_SLACK_MS = DAY_MS;
/** A user who clicks again within this time continues with an order whose checkout was not opened. */
const UNOPENED_MS = 10 * MINUTE_MS;

/**
 * Asks one provider all that is open of one user: what became of orders that may still be paid, renewals that are due, charges that are
 * incomplete. Closes orders whose checkout is over. Then says when to ask again. Whatever fails is logged and asked again.
 */
export async function reconcileAccount(
  deps: ConfirmDeps,
  provider: Provider,
  { userId, askedTimes, lease }: Poll,
): Promise<void> {
  const before = await readBilling(deps, userId);
  const { payable, questions } = openOf(before, provider, deps.clock.now());
  for (const order of payable) await followUp(deps, order);
  await bindCharges(deps, provider, before);
  for (const question of questions.slice(0, MAX_QUESTIONS)) await ask(deps, question, before);
  await projectUser(deps, userId);
  const now = deps.clock.now();
  const after = openOf(await readBilling(deps, userId), provider, now);
  const hasQuestions = after.questions.length > 0 || after.unbound.length > 0;
  const askAt = nextPoll(after.payable, hasQuestions, askedTimes, now);
  await finishPoll(deps.database.sql, provider, { userId, lease }, askAt, hasQuestions);
}

function openOf({ orders, projection }: Billing, provider: Provider, now: Date) {
  return {
    payable: orders.filter((order) => order.provider === provider && mayBePaid(order, now)),
    questions: projection.questions.filter((question) => question.provider === provider),
    unbound: projection.quarantine.filter((each) => each.provider === provider && each.reason === 'unlinked'),
  };
}

/** A charge that came before its subscription was listed is completed again: without its id the subscription could not be cancelled. */
async function bindCharges(deps: ConfirmDeps, name: Provider, billing: Billing): Promise<void> {
  const { unbound } = openOf(billing, name, deps.clock.now());
  const provider = deps.providers[name];
  if (unbound.length === 0 || !provider) return;
  const facts = await selectUnboundCharges(
    deps.database.sql,
    name,
    unbound.flatMap(({ orderId }) => orderId ?? []),
  );
  try {
    if (facts.length === 0 || !(await mayAsk(deps, name))) return;
    await applyFacts(deps, { provider: name, facts: await provider.resolve(facts), source: 'question' });
  } catch (error) {
    deps.log.warn({ err: error, provider: name }, 'asking for the subscription of a charge failed');
  }
}

/** An order without a checkout was cut off by a crash: no user saw its page, so there is nothing to ask. */
async function followUp(deps: ConfirmDeps, order: OrderRow): Promise<void> {
  const now = deps.clock.now();
  if (order.checkoutId === null && !order.confirming) {
    if (now.getTime() - order.createdAt.getTime() > UNOPENED_MS) await closeOrder(deps, order, 'failed');
    return;
  }
  const isAnswered = await confirmOrder(deps, order);
  const isKnown = isAnswered || !deps.providers[order.provider];
  if (order.status === 'open' && isCheckoutOver(order, now) && isKnown && !order.confirming)
    await closeOrder(deps, order, 'expired');
}

async function ask(
  deps: ConfirmDeps,
  { provider: name, kind, id }: Question,
  billing: Billing,
): Promise<void> {
  const provider = deps.providers[name];
  if (!provider || !(await mayAsk(deps, name))) return;
  try {
    const facts = await (kind === 'subscription'
      ? provider.fetchSubscription(id, contextOf(billing, name, id))
      : provider.fetchTransaction(id));
    await applyFacts(deps, {
      provider: name,
      facts: await matchPayments(deps, name, facts),
      source: 'question',
    });
  } catch (error) {
    deps.log.warn({ err: error, provider: name, kind, id }, 'a question to a payment provider failed');
  }
}

/** What is known of a subscription: until when it is paid, and what else its customer has. */
function contextOf({ projection }: Billing, provider: Provider, id: string) {
  const own = projection.subscriptions.filter((each) => each.provider === provider);
  const paidUntil = own.find(({ subscriptionId }) => subscriptionId === id)?.paidUntil ?? null;
  return {
    since: paidUntil === null ? null : new Date(paidUntil - RENEWAL_SLACK_MS),
    siblings: own.flatMap(({ subscriptionId }) => subscriptionId ?? []),
  };
}
