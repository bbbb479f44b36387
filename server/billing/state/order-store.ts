import type { Cycle, OrderStatus, PlanKey } from '#contract/billing.ts';
import type { Provider } from '#contract/choices.ts';
import type { Executor } from '#server/platform/database/database.ts';

/** An order with its checkout and where it stands. Amounts are minor units. */
export interface OrderRow {
  id: string;
  userId: string;
  provider: Provider;
  productId: string;
  planKey: PlanKey;
  cycle: Cycle;
  priceMinor: number;
  currency: string;
  credits: number;
  checkoutId: string | null;
  checkoutUrl: string | null;
  checkoutExpiresAt: Date | null;
  /** The address that the provider was given, in lower case; null: none, or its account was deleted. */
  buyerEmail: string | null;
  status: OrderStatus;
  paidAt: Date | null;
  /** Whether it is open, but a fact announces a payment. */
  confirming: boolean;
  /** The provider's id of a charge for it that is not credited; null: there is none. */
  uncredited: string | null;
  createdAt: Date;
}

export type NewOrder = Omit<
  OrderRow,
  | 'checkoutId'
  | 'checkoutUrl'
  | 'checkoutExpiresAt'
  | 'buyerEmail'
  | 'uncredited'
  | 'status'
  | 'paidAt'
  | 'confirming'
>;

const columns = (sql: Executor) => sql`
  orders.id, orders.user_id as "userId", orders.provider, orders.product_id as "productId", orders.plan_key as "planKey",
  orders.cycle, orders.price_minor as "priceMinor", orders.currency, orders.credits, orders.checkout_id as "checkoutId",
  orders.checkout_url as "checkoutUrl", orders.checkout_expires_at as "checkoutExpiresAt",
  orders.buyer_email as "buyerEmail", orders.status,
  orders.paid_at as "paidAt", orders.confirming,
  (select min(u.transaction_id) from billing.uncredited u
    where u.order_id = orders.id and u.user_id = orders.user_id and u.resolved_at is null and u.alerted_at is not null)
    as uncredited, orders.created_at as "createdAt"`;

/** Takes the lock under which one user's orders and facts change, making its row where there is none. */
export async function lockAccount(tx: Executor, userId: string): Promise<void> {
  await tx`insert into billing.account (user_id) values (${userId}) on conflict do nothing`;
  await tx`select from billing.account where user_id = ${userId} for no key update`;
}

/** True when a dispute is open that this user brought about, or another account that proved the mailbox when it ordered or since. */
export async function isDisputed(sql: Executor, userId: string, emailHash: Buffer | null): Promise<boolean> {
  const rows = await sql`
    select from billing.account a
     where a.disputed
       and (a.user_id = ${userId}
            or exists (select from billing.order_mailboxes m
                        where m.user_id = a.user_id and m.address_hash = ${emailHash}::bytea))
     limit 1`;
  return rows.length > 0;
}

/** Stores an order with the address of its buyer as it is now; `emailHash` names the mailbox behind it, which is kept when it is proved. */
export async function insertOrder(
  tx: Executor,
  order: NewOrder,
  emailHash: Buffer | null = null,
): Promise<OrderRow> {
  const [row] = await tx<OrderRow[]>`
    insert into billing.orders (id, user_id, provider, product_id, plan_key, cycle, price_minor, currency, credits, created_at,
                                buyer_email)
    values (${order.id}, ${order.userId}, ${order.provider}, ${order.productId}, ${order.planKey}, ${order.cycle},
            ${order.priceMinor}, ${order.currency}, ${order.credits}, ${order.createdAt},
            (select lower(email) from users where id = ${order.userId}))
    returning ${columns(tx)}`;
  if (!row) throw new Error('an insert returns its row');
  await tx`
    insert into billing.order_mailboxes (user_id, address_hash)
    select id, ${emailHash}::bytea from users
     where id = ${order.userId} and email_verified and ${emailHash}::bytea is not null
    on conflict do nothing`;
  return row;
}

/** One order of one user; null for another's. */
export async function findOrder(sql: Executor, userId: string, orderId: string): Promise<OrderRow | null> {
  const [row] = await sql<OrderRow[]>`
    select ${columns(sql)} from billing.orders where user_id = ${userId} and id = ${orderId}`;
  return row ?? null;
}

/** One order of any user: for the operator. */
export async function findAnyOrder(sql: Executor, orderId: string): Promise<OrderRow | null> {
  const [row] = await sql<OrderRow[]>`select ${columns(sql)} from billing.orders where id = ${orderId}`;
  return row ?? null;
}

/** Open orders of one user, oldest first. */
export function selectOpenOrders(sql: Executor, userId: string): Promise<OrderRow[]> {
  return sql<OrderRow[]>`
    select ${columns(sql)} from billing.orders where user_id = ${userId} and status = 'open' order by created_at, id`;
}

/** Orders of one user, newest first, after `before`. */
export function selectOrders(
  sql: Executor,
  userId: string,
  before: { createdAt: Date; id: string } | null,
  limit: number,
): Promise<OrderRow[]> {
  const after = before
    ? sql`and (created_at, id) < (${before.createdAt}::timestamptz, ${before.id}::uuid)`
    : sql``;
  return sql<OrderRow[]>`
    select ${columns(sql)} from billing.orders where user_id = ${userId} ${after}
     order by created_at desc, id desc limit ${limit}`;
}

/** Every order of one user. */
export function selectAllOrders(sql: Executor, userId: string): Promise<OrderRow[]> {
  return sql<
    OrderRow[]
  >`select ${columns(sql)} from billing.orders where user_id = ${userId} order by created_at, id`;
}

/** Writes where orders stand, as projected; returns those that changed. */
export function updateOrders(
  tx: Executor,
  orders: readonly Pick<OrderRow, 'id' | 'status' | 'paidAt' | 'confirming'>[],
): Promise<OrderRow[]> {
  const rows = orders.map(({ id, status, paidAt, confirming }) => ({
    orderId: id,
    newStatus: status,
    newPaidAt: paidAt,
    isConfirming: confirming,
  }));
  return tx<OrderRow[]>`
    update billing.orders set status = new."newStatus", paid_at = new."newPaidAt", confirming = new."isConfirming"
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as new ("orderId" uuid, "newStatus" text, "newPaidAt" timestamptz, "isConfirming" boolean)
     where id = new."orderId"
       and (status, paid_at, confirming) is distinct from (new."newStatus", new."newPaidAt", new."isConfirming")
    returning ${columns(tx)}`;
}

/** Records the checkout that the provider answered. Returns false where the order has one already, or is not open any more. */
export async function saveCheckout(
  sql: Executor,
  orderId: string,
  checkout: { checkoutId: string; redirectUrl: string; expiresAt: Date | null },
): Promise<boolean> {
  const { checkoutId, redirectUrl, expiresAt } = checkout;
  const rows = await sql`
    update billing.orders set checkout_id = ${checkoutId}, checkout_url = ${redirectUrl}, checkout_expires_at = ${expiresAt}
     where id = ${orderId} and checkout_id is null and status = 'open' returning id`;
  return rows.length > 0;
}

/** The address that is given to a provider; null when the account is gone. */
export async function findEmail(sql: Executor, userId: string): Promise<string | null> {
  const [row] = await sql<{ email: string | null }[]>`select email from users where id = ${userId}`;
  return row?.email ?? null;
}

/** True when the user proved an address that orders name; `emailHash` is the mailbox behind it. */
export async function hasProvedBuyer(
  sql: Executor,
  userId: string,
  email: string,
  emailHash: Buffer,
): Promise<boolean> {
  const rows = await sql`
    select from users u
     where u.id = ${userId}
       and (u.email_verified and lower(u.email) = ${email}
            or exists (select from billing.order_mailboxes m where m.user_id = u.id and m.address_hash = ${emailHash}::bytea))`;
  return rows.length > 0;
}

/** True when the user asked for the deletion of the account, whether or not it is done. */
export async function isLeaving(sql: Executor, userId: string): Promise<boolean> {
  const rows = await sql`select from users where id = ${userId} and leaving_at is not null`;
  return rows.length > 0;
}
