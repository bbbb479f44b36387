import { matchPayments } from '../facts/match-payments.ts';
import {
  selectBuyers,
  selectKnownSubscriptions,
  selectOwned,
  selectPayable,
  selectSubscriptionsOf,
} from '../facts/match-store.ts';
import { type ConfirmDeps, confirmOrder } from '../orders/confirm-order.ts';
import type { PaymentFact } from '../providers/facts.ts';
import { newestFirst } from '../providers/newest-first.ts';
import type { FactPage, PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { applyFacts } from '../state/apply-facts.ts';
import { findAnyOrder } from '../state/order-store.ts';

/** Orders to ask about for one charge without a webhook. */
const MAX_ORDERS = 5;
/** Questions that stay without an answer before the provider counts as away. */
const MAX_UNANSWERED = 5;
/** Pages of new subscriptions that are read for charges that belong to none we know. */
const MAX_PAGES = 40;

/**
 * Finds the user of each charge in a provider's list: by the subscription that it is for, else by asking about the orders that it
 * may pay. `most` are looked for; what stays unknown is left as it is. Returns how many were looked for. Rejects with `ProviderError`
 * where the provider is away.
 */
export async function linkCharges(
  deps: ConfirmDeps,
  provider: PaymentProvider,
  charges: readonly PaymentFact[],
  most: number,
): Promise<number> {
  const open = (await findUnowned(deps, provider, charges)).slice(0, most);
  if (open.length === 0) return 0;
  await bindEach(deps, provider, open);
  const unbound = await findUnowned(deps, provider, open);
  if (unbound.length > 0) await learnNewSubscriptions(deps, provider);
  await bindEach(deps, provider, unbound);
  for (const charge of await findUnowned(deps, provider, open)) await askAboutOrders(deps, provider, charge);
  return open.length;
}

/** Unattributed charges that may belong to one of our buyers; the server asks about no others. */
export async function findUnowned(
  { database }: ConfirmDeps,
  { name }: PaymentProvider,
  charges: readonly PaymentFact[],
): Promise<PaymentFact[]> {
  const ids = charges.map(({ transactionId }) => transactionId);
  const owned = await selectOwned(database.sql, name, ids);
  const buyers = await selectBuyers(
    database.sql,
    name,
    charges.flatMap(({ customerEmail }) => customerEmail?.toLowerCase() ?? []),
  );
  return charges.filter(
    ({ transactionId, customerEmail }) =>
      !owned.has(transactionId) && (customerEmail === null || buyers.has(customerEmail.toLowerCase())),
  );
}

/** Reads new subscriptions until a page has none: a charge may begin one that no webhook named. */
async function learnNewSubscriptions(deps: ConfirmDeps, provider: PaymentProvider): Promise<void> {
  let pages = 0;
  const list = newestFirst<FactPage>(
    (page) => provider.listSubscriptions(page),
    ({ facts }) =>
      facts.flatMap((fact) => (fact.kind === 'subscription' ? (fact.periodStart?.getTime() ?? []) : [])),
  );
  for await (const { facts } of list) {
    const ids = facts.flatMap((fact) => (fact.kind === 'subscription' ? fact.subscriptionId : []));
    const known = await selectKnownSubscriptions(deps.database.sql, provider.name, ids);
    const fresh = facts.filter((fact) => fact.kind === 'subscription' && !known.has(fact.subscriptionId));
    await applyFacts(deps, { provider: provider.name, facts: fresh, source: 'sweep' });
    pages += 1;
    if (fresh.length === 0 || pages >= MAX_PAGES) return;
  }
}

/** Binds charges. One of which the provider does not say more stays as it is, and keeps back no other. */
async function bindEach(
  deps: ConfirmDeps,
  provider: PaymentProvider,
  charges: readonly PaymentFact[],
): Promise<void> {
  let unanswered = 0;
  for (const charge of charges) {
    try {
      await bind(deps, provider, charge);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.kind !== 'refused' && error.kind !== 'malformed') unanswered += 1;
      if (unanswered > MAX_UNANSWERED) throw error;
      const { transactionId } = charge;
      deps.log.warn(
        { err: error, provider: provider.name, transactionId },
        'asking for the subscription of a charge failed',
      );
    }
  }
}

/** The subscription that the charge names, else those of the customer that it names. */
async function bind(deps: ConfirmDeps, provider: PaymentProvider, charge: PaymentFact): Promise<void> {
  const { sql } = deps.database;
  const { subscriptionId, customerEmail } = charge;
  const known = customerEmail === null ? [] : await selectSubscriptionsOf(sql, provider.name, customerEmail);
  const bound = await provider.bindCharge(charge, subscriptionId === null ? known : [subscriptionId]);
  const facts = await matchPayments(deps, provider.name, bound);
  await applyFacts(deps, { provider: provider.name, facts, source: 'sweep' });
}

async function askAboutOrders(
  deps: ConfirmDeps,
  provider: PaymentProvider,
  { customerEmail, paidAt }: PaymentFact,
): Promise<void> {
  const { sql } = deps.database;
  if (paidAt === null) return;
  for (const orderId of await selectPayable(sql, provider.name, customerEmail, paidAt, MAX_ORDERS)) {
    const order = await findAnyOrder(sql, orderId);
    if (order) await confirmOrder(deps, order);
  }
}
