import type { INBOX_STATUSES } from '#contract/admin/screens.ts';
import type { OrderStatus } from '#contract/billing.ts';
import type { Provider } from '#contract/choices.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { hasStatus, ownersOf } from '../billing-records/store.ts';

export interface UserRow {
  id: string;
  email: string | null;
  name: string;
  createdAt: Date;
  lastSignInAt: Date;
  emailVerified: boolean;
  leavingAt: Date | null;
  deletedAt: Date | null;
}

const userColumns = (sql: Executor) => sql`
  id, email, display_name as name, created_at as "createdAt", last_login_at as "lastSignInAt",
  email_verified as "emailVerified", leaving_at as "leavingAt", deleted_at as "deletedAt"`;

/** Users by address or the beginning of one, by id, or by the number of an order. */
export async function selectUsersBy(sql: Executor, find: string, limit: number): Promise<UserRow[]> {
  const key = find.toLowerCase();
  const rows = await sql<UserRow[]>`
    select ${userColumns(sql)} from users where id = any (array(
      (select id from users where email collate "C" >= ${key} and email collate "C" < ${key} || chr(1114111)
        order by email collate "C" limit ${limit})
      union all ${ownersOf(sql, key)}))
     order by email nulls last`;
  return rows.slice(0, limit);
}

export async function findUser(sql: Executor, id: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`select ${userColumns(sql)} from users where id = ${id}`;
  return row ?? null;
}

export interface BucketRow {
  id: string;
  kind: string;
  source: string;
  amount: number;
  available: number;
  held: number;
  spent: number;
  expired: number;
  revoked: number;
  startsAt: Date;
  endsAt: Date;
}

/** The newest buckets of a user. */
export function selectBuckets(sql: Executor, userId: string, limit: number): Promise<BucketRow[]> {
  return sql<BucketRow[]>`
    select id, kind, coalesce(payment_key, source_key) as source, amount, available, held, spent, expired, revoked,
           starts_at as "startsAt", expires_at as "endsAt"
      from credit.bucket where user_id = ${userId} order by id desc limit ${limit}`;
}

export interface OrderLineRow {
  id: string;
  userId: string;
  email: string | null;
  provider: Provider;
  planKey: string;
  cycle: string;
  priceMinor: number;
  currency: string;
  status: OrderStatus;
  createdAt: Date;
  paidAt: Date | null;
}

/** Above every id. */
const MAX_ID = '9223372036854775807';

interface Page<Cursor> {
  before: Cursor | null;
  limit: number;
}

/** Orders, the newest first; of one status, or of all where it is null. */
export function selectOrderLines(
  sql: Executor,
  {
    status,
    userId,
    before,
    limit,
  }: Page<{ at: Date; id: string }> & { status: string | null; userId: string | null },
): Promise<OrderLineRow[]> {
  return sql<OrderLineRow[]>`
    select o.id, o.user_id as "userId", u.email, o.provider, o.plan_key as "planKey", o.cycle, o.price_minor as "priceMinor",
           o.currency, o.status, o.created_at as "createdAt", o.paid_at as "paidAt"
      from billing.orders o join users u on u.id = o.user_id
     where ${status === null ? sql`true` : sql`o.status = ${status}`} and ${userId === null ? sql`true` : sql`o.user_id = ${userId}`}
       and ${before === null ? sql`true` : sql`(o.created_at, o.id) < (${before.at}, ${before.id}::uuid)`}
     order by o.created_at desc, o.id desc limit ${limit}`;
}

export interface UncreditedRow {
  provider: Provider;
  transactionId: string;
  userId: string | null;
  email: string | null;
  orderId: string | null;
  reason: string;
  minor: number | null;
  currency: string | null;
  foundAt: Date;
}

/** Charges that were paid and grant nothing, the oldest first. */
export function selectUncredited(sql: Executor, limit: number): Promise<UncreditedRow[]> {
  return sql<UncreditedRow[]>`
    select provider, transaction_id as "transactionId", user_id as "userId", u.email, order_id as "orderId", reason,
           amount_minor as minor, currency, found_at as "foundAt"
      from billing.uncredited left join users u on u.id = user_id where resolved_at is null order by found_at limit ${limit}`;
}

export interface WebhookRow {
  id: string;
  provider: Provider;
  type: string;
  receivedAt: Date;
  status: (typeof INBOX_STATUSES)[number];
  tries: number;
  error: string | null;
}

/** Webhooks, the newest first; of one status, or of all where it is null. */
export function selectWebhooks(
  sql: Executor,
  { status, before, limit }: Page<string> & { status: string | null },
): Promise<WebhookRow[]> {
  return sql<WebhookRow[]>`
    select id, provider, type, received_at as "receivedAt", status, tries, left(error, 200) as error from billing.inbox
     where ${hasStatus(sql, status)} and id < coalesce(${before}::bigint, ${MAX_ID}::bigint)
     order by id desc limit ${limit}`;
}

export interface LossRow {
  /** The id of the bucket. */
  id: string;
  userId: string;
  email: string | null;
  paymentKey: string;
  reason: string;
  target: number;
  taken: number;
  /** Whether it is a dispute that is not settled. */
  isOpen: boolean;
}

/** Where a page of losses begins: after this one. */
export type LossCursor = Pick<LossRow, 'isOpen' | 'id'>;

/** Grants of which a refund or a dispute takes something back: those of open disputes first, then the newest. */
export function selectLosses(sql: Executor, { before, limit }: Page<LossCursor>): Promise<LossRow[]> {
  const openBefore = before === null ? MAX_ID : before.isOpen ? before.id : '0';
  const closedBefore = before === null || before.isOpen ? MAX_ID : before.id;
  return sql<LossRow[]>`
    with open as materialized (
      select b.id from billing.account a join credit.bucket b on b.user_id = a.user_id
       where a.disputed and b.revoke_target > 0 and b.revoke_reason = 'dispute' and not b.payment_key = any(a.cleared_disputes))
    select b.id, b.user_id as "userId", u.email, coalesce(b.payment_key, b.source_key) as "paymentKey", b.revoke_reason as reason,
           b.revoke_target as target, b.revoked as taken, b.id = any (array(select id from open)) as "isOpen"
      from credit.bucket b join users u on u.id = b.user_id
     where b.id = any (array(
       (select id from open where id < ${openBefore}::bigint order by id desc limit ${limit})
       union all
       (select id from credit.bucket
         where revoke_target > 0 and revoke_reason <> 'correction' and id < ${closedBefore}::bigint
           and id <> all (array(select id from open)) order by id desc limit ${limit})))
     order by "isOpen" desc, b.id desc limit ${limit}`;
}

export function selectUnrecovered(sql: Executor, limit: number) {
  return sql<{ userId: string; paymentKey: string | null; credits: number }[]>`
    select user_id as "userId", payment_key as "paymentKey", missing as credits from credit.unrecovered where revoke_target > 0
     order by bucket_id desc limit ${limit}`;
}

export interface FailureRow {
  messageId: string;
  userId: string;
  model: string;
  upstreamModel: string | null;
  status: 'failed' | 'interrupted';
  code: string;
  /** What lies behind `upstream_failed`; null: that is not known, or the code says it. */
  fault: string | null;
  endedAt: Date;
  released: number;
  viaApi: boolean;
}

/** Where a page of failures begins: after this one. The time is in microseconds since 1970. */
export interface FailureCursor {
  micros: string;
  id: string;
}

/** Answers that failed or were cut off, the newest first. */
export function selectFailures(
  sql: Executor,
  { before, limit }: Page<FailureCursor>,
): Promise<(FailureRow & { micros: string })[]> {
  return sql<(FailureRow & { micros: string })[]>`
    select id as "messageId", user_id as "userId", model, upstream_model as "upstreamModel", status, error_code as code,
           output->>'fault' as fault, ended_at as "endedAt", (extract(epoch from ended_at) * 1000000)::bigint as micros, cost as released,
           conversation_id is null as "viaApi"
      from messages
     where status in ('failed', 'interrupted')
       and ${before === null ? sql`true` : sql`(ended_at, id) < (timestamptz 'epoch' + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::uuid)`}
     order by ended_at desc, id desc limit ${limit}`;
}

/** Exports that wait or failed, the oldest first. */
export function selectExports(sql: Executor, limit: number) {
  return sql<{ userId: string; state: string; requestedAt: Date; tries: number; error: string | null }[]>`
    select user_id as "userId", state, requested_at as "requestedAt", tries, left(error, 200) as error
      from exports where state <> 'ready' order by requested_at limit ${limit}`;
}

/** Accounts that are being deleted, the oldest first. */
export function selectDeletions(sql: Executor, limit: number) {
  return sql<{ userId: string; askedAt: Date; tries: number; nextTryAt: Date; error: string | null }[]>`
    select user_id as "userId", asked_at as "askedAt", tries, next_try_at as "nextTryAt", left(error, 200) as error
      from deletions where done_at is null order by asked_at limit ${limit}`;
}

export interface AuditRow {
  id: string;
  at: Date;
  actor: string;
  /** Done at the command line, where `actor` is what was typed. */
  viaCommandLine: boolean;
  act: string;
  userId: string | null;
  subject: string | null;
  reason: string;
  details: Record<string, unknown>;
}

/** The names of an act in the log: what is `adopt_order` now was `compare` before the console. */
const namesOf = (act: string | null) => (act === 'adopt_order' ? [act, 'compare'] : [act ?? '']);

/** What operators did, the newest first; of one operator, act or user, where they are not null. */
export function selectAuditLines(
  sql: Executor,
  wanted: Page<string> & { actor: string | null; act: string | null; userId: string | null },
): Promise<AuditRow[]> {
  const { before, limit, actor, act, userId } = wanted;
  return sql<AuditRow[]>`
    select id, at, actor, operator_id is null as "viaCommandLine", act, user_id as "userId", subject, reason,
           case when details ? 'agreedBy' then details || (
             select jsonb_build_object('agreedBy', coalesce(max(u.email), details->>'agreedBy'))
               from users u where u.id = (details->>'agreedBy')::uuid) else details end as details
      from billing.audit
     where id < coalesce(${before}::bigint, ${MAX_ID}::bigint) and (${actor}::text is null or actor = ${actor})
       and (${act}::text is null or act = any(${namesOf(act)})) and ${userId === null ? sql`true` : sql`user_id = ${userId}`}
     order by id desc limit ${limit}`;
}
