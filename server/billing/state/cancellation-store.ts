import type { Provider } from '#contract/choices.ts';
import type { Executor, Fragment } from '#server/platform/database/database.ts';

/** A subscription that must not be charged again, and how far the request to its provider got. */
export interface CancellationRow {
  provider: Provider;
  subscriptionId: string;
  userId: string;
  /** At the end of the period; else at once. */
  periodEnd: boolean;
  reason: 'user' | 'replaced' | 'refunded' | 'disputed' | 'operator' | 'left';
  askedAt: Date;
  tries: number;
}

type Key = Pick<CancellationRow, 'provider' | 'subscriptionId' | 'reason' | 'askedAt'>;

const columns = (sql: Executor) => sql`
  c.provider, c.subscription_id as "subscriptionId", c.user_id as "userId", c.period_end as "periodEnd", c.reason,
  c.asked_at as "askedAt", c.tries`;

/**
 * Requests a cancellation once: not while one for the same reason is under way, nor where its provider did one that was requested after
 * `since`. Returns when that one was requested; null where a cancellation is requested now.
 */
export async function insertCancellation(
  tx: Executor,
  wanted: Omit<CancellationRow, 'tries'>,
  since: Date,
): Promise<Date | null> {
  const { provider, subscriptionId, userId, periodEnd, reason, askedAt } = wanted;
  const [held] = await tx<{ askedAt: Date | null }[]>`
    with before as (
      select asked_at, done_at from billing.cancellations
       where provider = ${provider} and subscription_id = ${subscriptionId} and reason = ${reason}
         and (done_at is null or tries > 0 and asked_at > ${since})
    ), added as (
      insert into billing.cancellations (provider, subscription_id, user_id, period_end, reason, asked_at, next_try_at)
      select ${provider}, ${subscriptionId}, ${userId}, ${periodEnd}, ${reason}, ${askedAt}::timestamptz, ${askedAt}::timestamptz
       where not exists (select from before)
          on conflict (provider, subscription_id, reason, asked_at)
             do update set done_at = null, error = null, next_try_at = excluded.next_try_at
    )
    select case when bool_and(done_at is not null) then max(asked_at) end as "askedAt" from before`;
  return held?.askedAt ?? null;
}

/** Ends the requests of one user for subscriptions that will not be charged again. */
export async function finishCancellations(
  tx: Executor,
  userId: string,
  ended: readonly { provider: Provider; subscriptionId: string }[],
  at: Date,
): Promise<void> {
  await tx`
    update billing.cancellations set done_at = ${at}, error = null
     where user_id = ${userId} and done_at is null
       and (provider, subscription_id) in (
         select * from unnest(${ended.map(({ provider }) => provider)}::text[],
                              ${ended.map(({ subscriptionId }) => subscriptionId)}::text[]))`;
}

/** Cancellations that are due. */
export function dueCancellations(sql: Executor, at: Date): Fragment {
  return sql`from billing.cancellations where done_at is null and next_try_at <= ${at} order by next_try_at`;
}

/** Takes at most `limit` cancellations that are due; they are due again after `leaseMs` unless the caller finishes or postpones them. */
export function leaseCancellations(
  sql: Executor,
  at: Date,
  leaseMs: number,
  limit: number,
): Promise<CancellationRow[]> {
  const until = new Date(at.getTime() + leaseMs);
  return sql<CancellationRow[]>`
    update billing.cancellations c set next_try_at = ${until}, tries = c.tries + 1, error = null
      from (select provider, subscription_id, reason, asked_at ${dueCancellations(sql, at)}
             limit ${limit} for update skip locked) due
     where (c.provider, c.subscription_id, c.reason, c.asked_at) =
           (due.provider, due.subscription_id, due.reason, due.asked_at)
    returning ${columns(sql)}`;
}

/** Takes what is due of one user, as `leaseCancellations` does. */
export function leaseCancellationsOf(
  sql: Executor,
  userId: string,
  at: Date,
  leaseMs: number,
): Promise<CancellationRow[]> {
  const until = new Date(at.getTime() + leaseMs);
  return sql<CancellationRow[]>`
    update billing.cancellations c set next_try_at = ${until}, tries = c.tries + 1, error = null
     where c.user_id = ${userId} and c.done_at is null and c.next_try_at <= ${at}
    returning ${columns(sql)}`;
}

export async function closeCancellation(sql: Executor, key: Key, at: Date): Promise<void> {
  await sql`update billing.cancellations set done_at = ${at}, error = null where ${isThis(sql, key)} and done_at is null`;
}

/** Records that it failed, why, and when it is tried again. */
export async function postponeCancellation(
  sql: Executor,
  key: Key,
  until: Date,
  error: string,
): Promise<void> {
  await sql`update billing.cancellations set next_try_at = ${until}, error = ${error} where ${isThis(sql, key)}`;
}

function isThis(sql: Executor, { provider, subscriptionId, reason, askedAt }: Key) {
  return sql`provider = ${provider} and subscription_id = ${subscriptionId} and reason = ${reason} and asked_at = ${askedAt}`;
}

/** Subscriptions (`provider:id`) whose end is wanted and not confirmed, and whether their user alone asked for it. */
export type Endings = ReadonlyMap<string, { byUser: boolean }>;

/** What of a user's subscriptions is to end. */
export async function selectEndings(sql: Executor, userId: string): Promise<Endings> {
  const rows = await sql<{ key: string; byUser: boolean }[]>`
    select provider || ':' || subscription_id as key, bool_and(reason = 'user') as "byUser" from billing.cancellations
     where user_id = ${userId} and done_at is null group by 1`;
  return new Map(rows.map(({ key, byUser }) => [key, { byUser }]));
}

/** How many cancellations each provider has not confirmed for an hour; none without one. */
export function countLateCancellations(
  sql: Executor,
  at: Date,
): Promise<{ provider: Provider; count: number }[]> {
  return sql<{ provider: Provider; count: number }[]>`
    select provider, count(*)::int as count from billing.cancellations
     where done_at is null and asked_at < ${at}::timestamptz - interval '1 hour' group by 1 order by 1`;
}

/** True while somebody tries to cancel a subscription of the user: nobody knows yet how that ends. */
export async function isCancellationUnderWay(sql: Executor, userId: string, at: Date): Promise<boolean> {
  const rows = await sql`
    select from billing.cancellations where user_id = ${userId} and done_at is null and ${isUnderWay(sql, at)} limit 1`;
  return rows.length > 0;
}

/**
 * The user withdraws the request before the server asked the provider, or after a try that failed. Returns false, and withdraws
 * nothing, while a try is under way: nobody knows yet how it ends.
 */
export async function withdrawCancellation(
  sql: Executor,
  userId: string,
  { provider, subscriptionId }: { provider: Provider; subscriptionId: string },
  at: Date,
): Promise<boolean> {
  const wanted = sql`
    user_id = ${userId} and provider = ${provider} and subscription_id = ${subscriptionId} and reason = 'user' and done_at is null`;
  await sql`
    update billing.cancellations set done_at = ${at}, error = 'withdrawn'
     where ${wanted} and not (${isUnderWay(sql, at)})`;
  const rows = await sql`select from billing.cancellations where ${wanted} limit 1`;
  return rows.length === 0;
}

function isUnderWay(sql: Executor, at: Date): Fragment {
  return sql`tries > 0 and error is null and next_try_at > ${at}`;
}
