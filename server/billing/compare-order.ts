import { AppError } from '#server/errors.ts';
import { digestOf } from './facts/fact-rules.ts';
import { selectFactsByDigest } from './facts/fact-store.ts';
import { matchPayments } from './facts/match-payments.ts';
import { mergeFacts } from './facts/merge-facts.ts';
import { type ConfirmDeps, orderQueryOf } from './orders/confirm-order.ts';
import { type BillingProjection, projectBilling } from './projection/project-billing.ts';
import type { Fact } from './providers/facts.ts';
import { applyFacts } from './state/apply-facts.ts';
import { findAnyOrder, type OrderRow } from './state/order-store.ts';
import { readBilling } from './state/read-billing.ts';

export interface Comparison {
  order: OrderRow;
  /** What the provider reports now, and whether we knew it. */
  answered: { fact: Fact; isKnown: boolean }[];
  /** What we have now, and what we would have with the answer of the provider. */
  before: BillingProjection;
  after: BillingProjection;
}

/**
 * Asks the provider about an order and says what would follow. Changes nothing unless `adopt` is given: that is called first, then
 * the answer is taken over. Throws `not_found`, `not_configured`, `ProviderError`.
 */
export async function compareOrder(
  deps: ConfirmDeps,
  orderId: string,
  adopt: ((order: OrderRow) => Promise<unknown>) | null = null,
): Promise<Comparison> {
  const { sql } = deps.database;
  const order = await findAnyOrder(sql, orderId);
  if (!order) throw new AppError('not_found');
  const provider = deps.providers[order.provider];
  if (!provider) throw new AppError('not_configured', { setting: `${order.provider.toUpperCase()}_API_KEY` });
  const { provider: name } = order;
  const facts = await matchPayments(deps, name, await provider.fetchOrder(orderQueryOf(order)));
  const known = await selectFactsByDigest(sql, name, facts.map(digestOf));
  const digests = new Set(known.map(({ digest }) => digest));
  const { snapshot, orders, known: basis, projection } = await readBilling(deps, order.userId);
  const merged = mergeFacts(snapshot, { provider: name, mode: provider.mode, facts });
  const moment = { now: deps.clock.now().getTime(), graceMs: deps.config.graceMs };
  const after = projectBilling(merged, orders, moment, basis);
  if (adopt) {
    await adopt(order);
    await applyFacts(deps, { provider: name, facts, source: 'operator' });
  }
  const answered = facts.map((fact) => ({ fact, isKnown: digests.has(digestOf(fact).toString('hex')) }));
  return { order, answered, before: projection, after };
}
