import type { AlertKind } from '#contract/admin/alerts.ts';
import type { Provider } from '#contract/choices.ts';
import type { Executor, Fragment } from '#server/platform/database/database.ts';
import type { FoundAlert } from './alert-rules.ts';

export interface AlertRow extends FoundAlert {
  raisedAt: Date;
  seenAt: Date;
  /** Null: it stands. */
  endedAt: Date | null;
  /** How often it was sent before. */
  sent: number;
}

const columns = (sql: Executor) => sql`
  kind, subject, details, raised_at as "raisedAt", seen_at as "seenAt", ended_at as "endedAt", sent`;

/** Notes what a look found. What stood already stands on; what had ended begins anew and is sent again. */
export async function upsertAlerts(sql: Executor, found: readonly FoundAlert[], at: Date): Promise<void> {
  if (found.length === 0) return;
  const isOver = sql`a.ended_at is not null`;
  await sql`
    insert into operator_alerts as a (kind, subject, details, raised_at, seen_at, next_send_at)
    select distinct on (kind, subject) kind, subject, details, ${at}::timestamptz, ${at}, ${at}
      from jsonb_to_recordset(${JSON.stringify(found)}::text::jsonb) as new (kind text, subject text, details jsonb)
    on conflict (kind, subject) do update
      set details = excluded.details, seen_at = greatest(a.seen_at, excluded.seen_at), ended_at = null,
          raised_at = case when ${isOver} then excluded.raised_at else a.raised_at end,
          sent = case when ${isOver} then 0 else a.sent end,
          next_send_at = case when ${isOver} then excluded.next_send_at else a.next_send_at end`;
}

/**
 * Ends what was not found since: a kind and how long it may be quiet. Who was alerted is notified of the end, also by the mail of an alert that
 * the webhook did not take yet: once it was leased, it is due later than it was raised.
 */
export async function endAlerts(
  sql: Executor,
  quiet: readonly { kind: AlertKind; since: Date }[],
  at: Date,
): Promise<void> {
  await sql`
    update operator_alerts a
       set ended_at = ${at}, next_send_at = case when sent > 0 or next_send_at > raised_at then ${at}::timestamptz end
      from jsonb_to_recordset(${JSON.stringify(quiet)}::text::jsonb) as q (kind text, since timestamptz)
     where a.kind = q.kind and a.ended_at is null and a.seen_at <= q.since`;
}

/** Alerts that stand, the newest first. */
export function selectAlerts(sql: Executor): Promise<AlertRow[]> {
  return sql<AlertRow[]>`
    select ${columns(sql)} from operator_alerts where ended_at is null order by raised_at desc, kind, subject limit 100`;
}

/** Alerts to send now. */
export function dueAlerts(sql: Executor, at: Date): Fragment {
  return sql`from operator_alerts where next_send_at <= ${at} order by next_send_at`;
}

/** Takes alerts to send; they are due again after `leaseMs` unless `markSent` is called. */
export function leaseAlerts(sql: Executor, at: Date, leaseMs: number, limit: number): Promise<AlertRow[]> {
  return sql<AlertRow[]>`
    update operator_alerts a set next_send_at = ${new Date(at.getTime() + leaseMs)}
      from (select kind as k, subject as s ${dueAlerts(sql, at)} limit ${limit} for update skip locked) due
     where a.kind = due.k and a.subject = due.s
    returning ${columns(sql)}`;
}

/**
 * An alert was sent; it is due again at `next`, and at once where it ended since it was leased: who was alerted is notified of the end. Does
 * nothing where it began anew.
 */
export async function markSent(sql: Executor, alert: AlertRow, next: Date | null): Promise<void> {
  const { kind, subject, raisedAt, endedAt } = alert;
  await sql`
    update operator_alerts
       set sent = sent + 1,
           next_send_at = case when ended_at is not distinct from ${endedAt} then ${next}::timestamptz else ended_at end
     where kind = ${kind} and subject = ${subject} and raised_at = ${raisedAt}`;
}

/** Deletes alerts that ended before a time. */
export async function deleteAlerts(sql: Executor, before: Date): Promise<void> {
  await sql`delete from operator_alerts where ended_at < ${before}`;
}

/** Webhooks that wait since before a time, and those that were given up, of each provider. */
export function countLateWebhooks(sql: Executor, before: Date) {
  return sql<{ provider: Provider; waiting: number; oldest: Date | null; failed: number }[]>`
    select provider, count(*) filter (where status = 'new' and received_at < ${before})::int as waiting,
           min(received_at) filter (where status = 'new') as oldest,
           count(*) filter (where status = 'failed')::int as failed
      from (select provider, status, received_at from billing.inbox where status = 'new'
            union all
            select provider, status, received_at from billing.inbox where status = 'failed') unsettled
     group by 1 order by 1`;
}

/** Providers whose webhooks were accepted since a time. */
export async function selectHeardProviders(sql: Executor, since: Date): Promise<Provider[]> {
  const rows = await sql<{ provider: Provider }[]>`
    select distinct provider from billing.inbox where received_at > ${since}`;
  return rows.map(({ provider }) => provider);
}

/** Addresses whose mails were refused three times and wait, or were given up since a time, and whether any mail was sent since. */
export async function countFailingMails(sql: Executor, since: Date) {
  const [row] = await sql<{ count: number; isSending: boolean }[]>`
    select count(distinct to_address)::int as count,
           exists (select from mails where outcome = 'sent' and ended_at > ${since}) as "isSending"
      from (select to_address from mails where tries >= 3 and ended_at is null
            union all
            select to_address from mails where outcome = 'failed' and ended_at > ${since}) failing`;
  return row ?? { count: 0, isSending: true };
}

/**
 * Answers that ended since a time, and those that failed, but for what a provider refuses by its rules, a form or function that a caller
 * described wrongly, or a picture that was not made: they are the question's.
 */
export async function countFailingAnswers(sql: Executor, since: Date) {
  const [row] = await sql<{ count: number; all: number }[]>`
    select count(*) filter (where status in ('failed', 'interrupted')
                              and error_code not in ('upstream_blocked', 'picture_blocked', 'picture_not_made', 'schema_refused'))::int as count,
           count(*)::int as "all"
      from messages where created_at > ${since} and status <> 'running'`;
  return row ?? { count: 0, all: 0 };
}
