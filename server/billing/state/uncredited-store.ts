import type { Provider } from '#contract/choices.ts';
import type { Executor, Fragment } from '#server/platform/database/database.ts';

/** A charge that was paid and grants nothing. Amounts are minor units, gross. */
export interface Uncredited {
  provider: Provider;
  transactionId: string;
  orderId: string | null;
  reason: string;
  amountMinor: number | null;
  currency: string | null;
  paidAt: Date | null;
}

export type UncreditedRow = Uncredited & { userId: string | null };

const columns = (sql: Executor) => sql`
  provider, transaction_id as "transactionId", user_id as "userId", order_id as "orderId", reason,
  amount_minor as "amountMinor", currency, paid_at as "paidAt"`;

/**
 * Notes charges that grant nothing, each once; what is known of one already is brought up to date. An amount that is too large for its
 * column is left unknown.
 */
export async function upsertUncredited(
  tx: Executor,
  found: readonly (UncreditedRow & { alertAt: Date })[],
  at: Date,
): Promise<void> {
  if (found.length === 0) return;
  await tx`
    insert into billing.uncredited as u (provider, transaction_id, user_id, order_id, reason, amount_minor, currency, paid_at,
                                         found_at, alert_at)
    select provider, "transactionId", "userId", "orderId", reason, case when "amountMinor" <= 2147483647 then "amountMinor" end,
           currency, "paidAt", ${at}, "alertAt"
      from jsonb_to_recordset(${JSON.stringify(found)}::text::jsonb)
        as new (provider text, "transactionId" text, "userId" uuid, "orderId" uuid, reason text, "amountMinor" bigint,
                currency text, "paidAt" timestamptz, "alertAt" timestamptz)
    on conflict (provider, transaction_id) do update
      set user_id = coalesce(excluded.user_id, u.user_id), order_id = coalesce(excluded.order_id, u.order_id),
          reason = excluded.reason, amount_minor = coalesce(excluded.amount_minor, u.amount_minor),
          currency = coalesce(excluded.currency, u.currency), paid_at = coalesce(excluded.paid_at, u.paid_at),
          alert_at = case when u.resolved_at is null then least(u.alert_at, excluded.alert_at) else excluded.alert_at end,
          alerted_at = case when u.resolved_at is null then u.alerted_at end, resolved_at = null`;
}

/** Settles charges (`provider:id`) that were granted or refunded since: nothing is owed for them any more. */
export async function resolveUncredited(
  tx: Executor,
  paymentKeys: readonly string[],
  at: Date,
): Promise<void> {
  if (paymentKeys.length === 0) return;
  await tx`
    update billing.uncredited set resolved_at = ${at}
     where resolved_at is null and provider || ':' || transaction_id = any(${[...paymentKeys]}::text[])`;
}

/** What the user paid for and did not get, the newest first; only what the operator was alerted to. */
export function selectUncreditedOf(sql: Executor, userId: string): Promise<UncreditedRow[]> {
  return sql<UncreditedRow[]>`
    select ${columns(sql)} from billing.uncredited
     where user_id = ${userId} and resolved_at is null and alerted_at is not null order by found_at desc limit 20`;
}

/** True when the user paid for something that is not credited, whether or not the operator was alerted. */
export async function hasUncredited(sql: Executor, userId: string): Promise<boolean> {
  const rows =
    await sql`select from billing.uncredited where user_id = ${userId} and resolved_at is null limit 1`;
  return rows.length > 0;
}

/** Charges to alert the operator of now. */
export function dueUncredited(sql: Executor, at: Date): Fragment {
  return sql`
    from billing.uncredited where alerted_at is null and resolved_at is null and alert_at <= ${at} order by alert_at`;
}

/** Leases charges to alert the operator of; they are due again after `leaseMs` unless `markAlerted` is called. */
export function leaseUncredited(
  sql: Executor,
  at: Date,
  leaseMs: number,
  limit: number,
): Promise<UncreditedRow[]> {
  return sql<UncreditedRow[]>`
    update billing.uncredited u set alert_at = ${new Date(at.getTime() + leaseMs)}
      from (select provider p, transaction_id t ${dueUncredited(sql, at)} limit ${limit} for update skip locked) due
     where u.provider = due.p and u.transaction_id = due.t
    returning ${columns(sql)}`;
}

export async function markAlerted(
  sql: Executor,
  { provider, transactionId }: Pick<Uncredited, 'provider' | 'transactionId'>,
  at: Date,
): Promise<void> {
  await sql`
    update billing.uncredited set alerted_at = ${at} where provider = ${provider} and transaction_id = ${transactionId}`;
}

/** How many charges grant nothing, and for how many seconds the oldest of them has. */
export async function countUncredited(sql: Executor, at: Date): Promise<{ count: number; seconds: number }> {
  const [row] = await sql<{ count: number; seconds: number }[]>`
    select count(*)::int as count, coalesce(extract(epoch from ${at}::timestamptz - min(found_at)), 0)::float as seconds
      from billing.uncredited where resolved_at is null and alert_at <= ${at} or resolved_at is null and alerted_at is not null`;
  return row ?? { count: 0, seconds: 0 };
}

/** One charge that still grants nothing; null for every other. */
export async function findUncredited(
  sql: Executor,
  provider: string,
  transactionId: string,
): Promise<UncreditedRow | null> {
  const [row] = await sql<UncreditedRow[]>`
    select ${columns(sql)} from billing.uncredited
     where provider = ${provider} and transaction_id = ${transactionId} and resolved_at is null`;
  return row ?? null;
}

/** Whose order it is that names this buyer's address; null for none, and for several. */
export async function findBuyer(sql: Executor, provider: Provider, email: string): Promise<string | null> {
  const rows = await sql<{ userId: string }[]>`
    select distinct user_id as "userId" from billing.orders
     where provider = ${provider} and buyer_email = ${email.toLowerCase()} limit 2`;
  return rows.length === 1 ? (rows[0]?.userId ?? null) : null;
}

/** The observed sums of a user's charges. */
export function selectSums(
  sql: Executor,
  userId: string,
): Promise<Pick<Uncredited, 'provider' | 'transactionId' | 'amountMinor' | 'currency' | 'paidAt'>[]> {
  return sql`
    select distinct on (provider, subject) provider, subject as "transactionId", (fact->>'amountMinor')::float8 as "amountMinor",
           fact->>'currency' as currency, (fact->>'paidAt')::timestamptz as "paidAt"
      from billing.facts where user_id = ${userId} and kind = 'payment'
     order by provider, subject, (fact->>'amountMinor') is null, id desc`;
}
