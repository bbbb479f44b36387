import { applyFacts } from './apply-facts.ts';
import { claimPayments } from './claim-payments.ts';
import { findPayers, selectClaimed, selectUnpaidOrders } from './claim-store.ts';
import { type ConfirmDeps, confirmOrder } from './confirm-order.ts';
import { findAnyOrder } from './order-store.ts';
import type { Fact, PaymentFact } from './providers/facts.ts';
import type { FactPage, PaymentProvider } from './providers/provider.ts';
import { readBilling } from './read-billing.ts';

const DAY_MS = 86_400_000;
/** How far back charges are looked at: two months, so that late refunds and disputes are found too. */
const WATERMARK_DAYS = 62;
const MOST_PAGES = 400;
/** Orders asked about for one charge that nobody told us of. */
const MOST_ORDERS = 5;

const isPayment = (fact: Fact): fact is PaymentFact => fact.kind === 'payment';
const isBare = (fact: Fact): fact is PaymentFact =>
  isPayment(fact) && fact.orderId === null && fact.subscriptionId === null;

/**
 * Goes through all subscriptions of a provider and its charges of the last two months, so that nothing stays unknown when every
 * webhook was lost. A charge that names neither order nor subscription is looked for among our orders, and flagged where it
 * belongs to none. Rejects with `ProviderError`; repeating it does no harm.
 */
export async function reconcileProvider(deps: ConfirmDeps, provider: PaymentProvider): Promise<void> {
  await walk(
    (page) => provider.listSubscriptions(page),
    async (facts) => {
      await applyFacts(deps, { provider: provider.name, facts, source: 'sweep' });
      return true;
    },
  );
  const watermark = deps.clock.now().getTime() - WATERMARK_DAYS * DAY_MS;
  await walk(
    (page) => provider.listTransactions(page),
    async (facts) => {
      await learn(deps, provider, facts);
      const times = facts.filter(isPayment).map(({ paidAt }) => paidAt?.getTime() ?? watermark);
      return times.length === 0 || times.some((time) => time >= watermark);
    },
  );
}

async function walk(
  read: (page: number) => Promise<FactPage>,
  use: (facts: Fact[]) => Promise<boolean>,
): Promise<void> {
  let next: number | null = 1;
  while (next !== null && next <= MOST_PAGES) {
    const { facts, nextPage }: FactPage = await read(next);
    next = (await use(facts)) ? nextPage : null;
  }
}

async function learn(deps: ConfirmDeps, provider: PaymentProvider, facts: readonly Fact[]): Promise<void> {
  const { sql } = deps.database;
  const { name } = provider;
  const bare = facts.filter(isBare);
  const known = await selectClaimed(
    sql,
    name,
    bare.map(({ transactionId }) => transactionId),
  );
  const strange = bare.filter(({ transactionId }) => !known.has(transactionId));
  await applyFacts(deps, {
    provider: name,
    facts: facts.filter((fact) => !strange.some((each) => each === fact)),
    source: 'sweep',
  });
  for (const payment of strange) await lookFor(deps, payment, provider);
  const found = await selectClaimed(
    sql,
    name,
    strange.map(({ transactionId }) => transactionId),
  );
  const left = strange.filter(({ transactionId }) => !found.has(transactionId));
  await applyFacts(deps, { provider: name, facts: left, source: 'sweep' });
}

/** Asks about the orders and the subscriptions of whoever paid; what belongs together is matched as always. */
async function lookFor(
  deps: ConfirmDeps,
  { customerEmail }: PaymentFact,
  provider: PaymentProvider,
): Promise<void> {
  const { sql } = deps.database;
  if (customerEmail === null) return;
  const unpaid = await selectUnpaidOrders(sql, provider.name, customerEmail);
  for (const { orderId } of unpaid.slice(0, MOST_ORDERS)) {
    const order = await findAnyOrder(sql, orderId);
    if (order) await confirmOrder(deps, order);
  }
  for (const userId of await findPayers(sql, customerEmail)) {
    const { projection } = await readBilling(deps, userId);
    for (const each of projection.subscriptions.filter((one) => one.provider === provider.name)) {
      if (each.subscriptionId === null) continue;
      const told = await provider.fetchSubscription(each.subscriptionId);
      const facts = await claimPayments(deps, provider.name, told);
      await applyFacts(deps, { provider: provider.name, facts, source: 'sweep' });
    }
  }
}
