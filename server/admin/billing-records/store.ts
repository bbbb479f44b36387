import type { JSONValue } from 'postgres';
import { PROVIDERS, type Provider } from '#contract/choices.ts';
import { type Executor, type Fragment, momentOf } from '#server/platform/database/database.ts';
import { idSchema } from '#server/platform/http/parse-id.ts';

export interface AdminUser {
  id: string;
  /** Null: the account is deleted. */
  email: string | null;
  displayName: string;
  emailVerified: boolean;
  createdAt: Date;
  lastLoginAt: Date;
  /** When its deletion was asked for, and when it was done. */
  leavingAt: Date | null;
  deletedAt: Date | null;
}

/** The ids of users with an id or the number of an order as `orderNumber` writes it. Each part of it is read from an index. */
export function ownersOf(sql: Executor, key: string): Fragment {
  const id = idSchema.safeParse(key).data ?? null;
  const number = key.toLowerCase().replaceAll('-', '');
  return sql`select ${id}::uuid union all select user_id from billing.orders where right(id::text, 12) = ${number}`;
}

/** A user by address or id, or by the number of one of their orders as `orderNumber` writes it. */
export async function findUserBy(sql: Executor, key: string): Promise<AdminUser | null> {
  const [row] = await sql<AdminUser[]>`
    select id, email, display_name as "displayName", email_verified as "emailVerified", created_at as "createdAt", last_login_at as "lastLoginAt",
           leaving_at as "leavingAt", deleted_at as "deletedAt"
      from users where id = any (array(
        select id from users where email = ${key.toLowerCase()} union all ${ownersOf(sql, key)}))`;
  return row ?? null;
}

export interface AuditNote {
  /** The same id again is the same act; null: what became of one. */
  actId: string | null;
  /** Null: done at the command line. */
  operatorId: string | null;
  actor: string;
  act: string;
  userId: string | null;
  subject: string | null;
  reason: string;
  details: Record<string, JSONValue>;
  at: Date;
}

/** Notes what an operator does; returns the number of the line. */
export async function insertAudit(
  tx: Executor,
  { actId, operatorId, actor, act, userId, subject, reason, details, at }: AuditNote,
): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into billing.audit (act_id, operator_id, actor, act, user_id, subject, reason, details, at)
    values (${actId}, ${operatorId}, ${actor}, ${act}, ${userId}, ${subject}, ${reason},
            ${JSON.stringify(details)}::text::jsonb, ${at})
    returning id`;
  return row?.id ?? '';
}

export type Row = Record<string, unknown>;

export function selectAudit(sql: Executor, userId: string): Promise<Row[]> {
  return sql<Row[]>`
    select id, at, actor, act, coalesce(subject, '') as subject, reason, details::text from billing.audit
     where user_id = ${userId} order by id desc limit 50`;
}

/** Webhooks of a status, of any where it is null. What is waiting or failed is little among what is done: each has an index. */
export function hasStatus(sql: Executor, status: string | null): Fragment {
  if (status === 'new') return sql`status = 'new'`;
  if (status === 'failed') return sql`status = 'failed'`;
  return status === null ? sql`true` : sql`status = ${status}`;
}

export function selectInbox(sql: Executor, status: string | null, limit: number): Promise<Row[]> {
  return sql<Row[]>`
    select id, provider, type, received_at, status, tries, coalesce(left(error, 80), '') as error from billing.inbox
     where ${hasStatus(sql, status)} order by id desc limit ${limit}`;
}

export async function findInboxStatus(
  sql: Executor,
  id: string,
): Promise<{ status: string; error: string | null } | null> {
  const [row] = await sql<{ status: string; error: string | null }[]>`
    select status, error from billing.inbox where id = ${id}`;
  return row ?? null;
}

export interface StoredFact extends Row {
  id: string;
  observed_at: Date;
  provider: Provider;
  subject: string;
  fact: Record<string, unknown>;
}

export function selectFacts(sql: Executor, userId: string, limit: number): Promise<StoredFact[]> {
  return sql<StoredFact[]>`
    select id, observed_at, source, provider, kind, subject, fact from billing.facts
     where user_id = ${userId} order by id desc limit ${limit}`;
}

/** Facts that belong to no user. */
export function selectUnattributedFacts(sql: Executor, limit: number): Promise<StoredFact[]> {
  return sql<StoredFact[]>`
    select id, observed_at, source, provider, kind, subject,
           case when is_ambiguous then 'ambiguous' else '' end as ambiguous, fact
      from billing.facts where user_id is null order by id desc limit ${limit}`;
}

export function selectCancellations(sql: Executor, userId: string): Promise<Row[]> {
  return sql<Row[]>`
    select provider, subscription_id, reason, asked_at, tries, done_at, coalesce(left(error, 80), '') as error
      from billing.cancellations where user_id = ${userId} order by asked_at desc limit 50`;
}

export function selectBuckets(sql: Executor, userId: string): Promise<Row[]> {
  return sql<Row[]>`
    select id, kind, coalesce(payment_key, source_key) as source_key, amount, available, held, spent, expired, revoked,
           revoke_target, expires_at
      from credit.bucket where user_id = ${userId} order by id desc limit 50`;
}

export async function findAccount(sql: Executor, userId: string): Promise<Row | null> {
  const [row] = await sql<Row[]>`
    select disputed, array_to_string(cleared_disputes, ' ') as cleared_disputes, next_change_at,
           (select min(ask_at) from billing.polls k where k.user_id = a.user_id) as ask_at,
           (select max(asked_times) from billing.polls k where k.user_id = a.user_id) as asked_times,
           projected_at from billing.account a where user_id = ${userId}`;
  return row ?? null;
}

/**
 * Proposals that can still be decided, as `p`, with their `proposer`, for `from`: of those who are operators, which wait or whose
 * agreement was cut off.
 */
export const openProposals = (sql: Executor): Fragment => sql`
  billing.proposals p join operators o on o.user_id = p.operator_id
       join users proposer on proposer.id = o.user_id and proposer.leaving_at is null
 where (p.decision is null
        or p.decision = 'agree' and not exists (select from billing.audit a where a.act_id = p.id))`;

/** Providers that anything was ever bought through. */
export async function selectUsedProviders(sql: Executor): Promise<Provider[]> {
  const rows = await sql<{ provider: Provider }[]>`
    select provider from unnest(${[...PROVIDERS]}::text[]) as p (provider)
     where (select o.provider from billing.orders o where o.provider = p.provider limit 1) is not null order by 1`;
  return rows.map(({ provider }) => provider);
}

/** Users who ever began a purchase, in the order of their ids. */
export function selectPayers(
  sql: Executor,
  after: string,
  limit: number,
): Promise<{ id: string; email: string | null }[]> {
  return sql<{ id: string; email: string | null }[]>`
    select u.id, u.email from billing.account a join users u on u.id = a.user_id
     where a.user_id > ${after}::uuid order by a.user_id limit ${limit}`;
}

export function selectUnrecovered(sql: Executor): Promise<Row[]> {
  return sql<Row[]>`select * from credit.unrecovered where revoke_target > 0 limit 200`;
}

export async function countSessions(sql: Executor, userId: string): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from sessions where user_id = ${userId}`;
  return row?.n ?? 0;
}

/** Credits that a user can spend now, without booking what is due. `at` as `clock.databaseTime()` gives it. */
export async function sumSpendable(sql: Executor, userId: string, at: Date | null): Promise<number> {
  const now = momentOf(sql, at);
  const [row] = await sql<{ n: number }[]>`
    select coalesce(sum(available), 0)::int as n from credit.bucket
     where user_id = ${userId} and starts_at <= ${now} and expires_at > ${now}`;
  return row?.n ?? 0;
}

/** Credits of a charge that can still be spent or are held for an answer: no more can be taken back of it. */
export async function sumUnspent(sql: Executor, userId: string, paymentKey: string): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select coalesce(sum(available + held), 0)::int as n from credit.bucket
     where user_id = ${userId} and payment_key = ${paymentKey}`;
  return row?.n ?? 0;
}
