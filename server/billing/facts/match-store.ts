import type { Provider } from '#contract/choices.ts';
import type { Executor } from '#server/platform/database/database.ts';

/** An order that a charge without an order's id may pay. Amounts are minor units. */
export interface MatchableOrder {
  orderId: string;
  userId: string;
  productId: string;
  priceMinor: number;
  currency: string;
  /** The email that the provider was given, in lower case. */
  email: string;
  createdAt: Date;
  /** Until when its hosted page can be paid; null: the provider did not say. */
  checkoutExpiresAt: Date | null;
}

const matchable = (sql: Executor) => sql`
  o.id as "orderId", o.user_id as "userId", o.product_id as "productId", o.price_minor as "priceMinor", o.currency,
  coalesce(o.buyer_email, '') as email, o.created_at as "createdAt", o.checkout_expires_at as "checkoutExpiresAt"`;

const MAX_ROWS = 20;

/** Waits for its turn to match charges with orders of a provider, until the transaction ends. */
export async function lockMatching(tx: Executor, provider: Provider): Promise<void> {
  // The name of the lock is that of the version before, which may run beside this one.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`claims:${provider}`}, 0))`;
}

/** Orders of any user whose buyer has this address and that have no known charge. */
export function selectUnpaidOrders(
  tx: Executor,
  provider: Provider,
  email: string,
): Promise<MatchableOrder[]> {
  return tx<MatchableOrder[]>`
    select ${matchable(tx)} from billing.orders o
     where o.provider = ${provider} and o.checkout_id is not null and o.buyer_email = ${email.toLowerCase()}
       and not exists (select from billing.facts f where f.user_id = o.user_id and f.provider = o.provider and f.kind = 'payment'
                        and f.fact->>'orderId' = o.id::text and f.fact->>'match' <> 'inferred')
     order by o.created_at desc limit ${MAX_ROWS}`;
}

/** The orders that facts name for a subscription. */
export function selectOrdersOfSubscription(
  tx: Executor,
  provider: Provider,
  subscriptionId: string,
): Promise<MatchableOrder[]> {
  return tx<MatchableOrder[]>`
    select distinct ${matchable(tx)} from billing.external_refs h
      join billing.facts f on f.user_id = h.user_id and f.provider = h.provider
      join billing.orders o on o.user_id = h.user_id and o.provider = h.provider and o.id::text = f.fact->>'orderId'
     where h.provider = ${provider} and h.kind = 'subscription' and h.id = ${subscriptionId}
       and f.fact->>'subscriptionId' = h.id and coalesce(f.fact->>'match', 'told') <> 'inferred'
     limit ${MAX_ROWS}`;
}

/** Charges among these with a payment that names its order or subscription; a refund that came first does not count. */
export async function selectMatched(
  tx: Executor,
  provider: Provider,
  transactionIds: string[],
): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    select distinct subject as id from billing.facts
     where provider = ${provider} and kind = 'payment' and subject = any(${transactionIds}) and user_id is not null
       and fact->>'match' <> 'inferred' and coalesce(fact->>'orderId', fact->>'subscriptionId') is not null`;
  return new Set(rows.map(({ id }) => id));
}

/** Charges among these that already belong to a user, whatever they pay. */
export async function selectOwned(
  sql: Executor,
  provider: Provider,
  transactionIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select distinct subject as id from billing.facts
     where provider = ${provider} and kind = 'payment' and subject = any(${[...transactionIds]}::text[])
       and (is_ambiguous or user_id is not null
                       and coalesce(fact->>'orderId', fact->>'subscriptionId') is not null)`;
  return new Set(rows.map(({ id }) => id));
}

/** Subscriptions of customers with this address, the latest first; only where one of our buyers has it. */
export async function selectSubscriptionsOf(
  sql: Executor,
  provider: Provider,
  email: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select subject as id from billing.facts
     where provider = ${provider} and kind = 'subscription' and lower(fact->>'customerEmail') = ${email.toLowerCase()}
       and exists (select from billing.orders where buyer_email = ${email.toLowerCase()})
     group by subject order by max(id) desc limit ${MAX_ROWS}`;
  return rows.map(({ id }) => id);
}

/** Orders that a charge of this time may pay: begun in the two days before, by this buyer where one is named, and not paid. */
export async function selectPayable(
  sql: Executor,
  provider: Provider,
  email: string | null,
  paidAt: Date,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select o.id from billing.orders o
     where o.provider = ${provider} and o.checkout_id is not null and o.paid_at is null
       and (${email?.toLowerCase() ?? null}::text is null or o.buyer_email = ${email?.toLowerCase() ?? null})
       and o.created_at between ${paidAt}::timestamptz - interval '2 days' and ${paidAt}::timestamptz + interval '10 minutes'
     order by o.created_at desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Which of these addresses, in lower case, a checkout was ever opened for. */
export async function selectBuyers(
  sql: Executor,
  provider: Provider,
  emails: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ email: string }[]>`
    select distinct buyer_email as email from billing.orders
     where provider = ${provider} and buyer_email = any(${[...emails]}::text[])`;
  return new Set(rows.map(({ email }) => email));
}

/** Which of these subscriptions have a fact. */
export async function selectKnownSubscriptions(
  sql: Executor,
  provider: Provider,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select distinct subject as id from billing.facts
     where provider = ${provider} and kind = 'subscription' and subject = any(${[...ids]}::text[])`;
  return new Set(rows.map(({ id }) => id));
}
