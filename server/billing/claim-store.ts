import type { Provider } from '#contract/billing.ts';
import type { Executor } from '#server/platform/database.ts';

/** An order that a charge without an order's id may pay. Amounts are minor units. */
export interface Claimable {
  orderId: string;
  userId: string;
  productId: string;
  priceMinor: number;
  currency: string;
  /** In lower case: what the provider was given. */
  email: string;
  createdAt: Date;
  /** Until when its hosted page can be paid; null: the provider did not say. */
  checkoutExpiresAt: Date | null;
}

const claimable = (sql: Executor) => sql`
  o.id as "orderId", o.user_id as "userId", o.product_id as "productId", o.price_minor as "priceMinor", o.currency,
  u.email, o.created_at as "createdAt", o.checkout_expires_at as "checkoutExpiresAt"`;

const MOST = 20;

/** Waits for its turn to match charges with orders of a provider, until the transaction ends. */
export async function lockClaims(tx: Executor, provider: Provider): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`claims:${provider}`}, 0))`;
}

/** Orders whose buyer has this address, and of which no charge was told yet; of any user. */
export function selectUnpaidOrders(tx: Executor, provider: Provider, email: string): Promise<Claimable[]> {
  return tx<Claimable[]>`
    select ${claimable(tx)} from billing.orders o join users u on u.id = o.user_id
     where o.provider = ${provider} and o.checkout_id is not null and u.email = ${email.toLowerCase()}
       and not exists (select from billing.facts f where f.user_id = o.user_id and f.provider = o.provider and f.kind = 'payment'
                        and f.fact->>'orderId' = o.id::text and f.fact->>'match' <> 'inferred')
     order by o.created_at desc limit ${MOST}`;
}

/** The orders that a subscription was told to belong to. */
export function selectOrdersOfSubscription(
  tx: Executor,
  provider: Provider,
  subscriptionId: string,
): Promise<Claimable[]> {
  return tx<Claimable[]>`
    select distinct ${claimable(tx)} from billing.handles h
      join billing.facts f on f.user_id = h.user_id and f.provider = h.provider
      join billing.orders o on o.user_id = h.user_id and o.provider = h.provider and o.id::text = f.fact->>'orderId'
      join users u on u.id = o.user_id
     where h.provider = ${provider} and h.kind = 'subscription' and h.id = ${subscriptionId}
       and f.fact->>'subscriptionId' = h.id and coalesce(f.fact->>'match', 'told') <> 'inferred'
     limit ${MOST}`;
}

/** Charges among these that are known to be somebody's. */
export async function selectClaimed(
  tx: Executor,
  provider: Provider,
  transactionIds: string[],
): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    select id from billing.handles
     where provider = ${provider} and kind = 'transaction' and id = any(${transactionIds})`;
  return new Set(rows.map(({ id }) => id));
}

/** The users with this address: one, or none. */
export async function findPayers(sql: Executor, email: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from users where email = ${email.toLowerCase()}`;
  return rows.map(({ id }) => id);
}
