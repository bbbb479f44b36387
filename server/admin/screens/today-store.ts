import type { DayFigures, Today } from '#contract/admin/screens.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { firstIdAt } from '#server/platform/ids.ts';
import { openProposals } from '../billing-records/store.ts';

type AnswerRow = DayFigures['answers'] & DayFigures['firstText'] & { charged: number; active: number };

/** Messages between two times, by how they ended. */
export async function countAnswers(sql: Executor, since: Date, until: Date): Promise<AnswerRow> {
  const [row] = await sql<AnswerRow[]>`
    select count(*) filter (where status = 'completed')::int as completed,
           count(*) filter (where status = 'stopped')::int as stopped,
           count(*) filter (where status = 'failed')::int as failed,
           count(*) filter (where status = 'interrupted')::int as interrupted,
           percentile_disc(0.5) within group (order by first_text_ms) as p50,
           percentile_disc(0.99) within group (order by first_text_ms) as p99,
           coalesce(sum(credits_used), 0)::int as charged,
           count(distinct user_id)::int as active
      from messages where created_at > ${since} and created_at <= ${until}`;
  if (!row) throw new Error('a count has a row');
  return row;
}

/** What is being answered now, and the credits held for it. */
export async function countRunning(sql: Executor): Promise<{ running: number; held: number }> {
  const [row] = await sql<{ running: number; held: number }[]>`
    select count(*)::int as running, coalesce(sum(cost), 0)::int as held from messages where status = 'running'`;
  if (!row) throw new Error('a count has a row');
  return row;
}

/** Accounts that were opened between two times. */
export async function countOpened(sql: Executor, since: Date, until: Date): Promise<number> {
  const [row] = await sql<{ opened: number }[]>`
    select count(*)::int as opened from users
     where id >= ${firstIdAt(since)} and created_at > ${since} and created_at <= ${until}`;
  if (!row) throw new Error('a count has a row');
  return row.opened;
}

export function countFailures(sql: Executor, since: Date): Promise<Today['failures']> {
  return sql<Today['failures']>`
    select error_code as code, output->>'fault' as fault, count(*)::int as count from messages
     where status in ('failed', 'interrupted') and ended_at > ${since} group by 1, 2 order by 3 desc, 1, 2 limit 20`;
}

export async function countInbox(sql: Executor) {
  const [row] = await sql<{ waiting: number; failed: number; oldest: Date | null }[]>`
    select (select count(*)::int from billing.inbox where status = 'new') as waiting,
           (select count(*)::int from billing.inbox where status = 'failed') as failed,
           (select min(received_at) from billing.inbox where status = 'new') as oldest`;
  return row ?? { waiting: 0, failed: 0, oldest: null };
}

/**
 * The sums of charges that we first heard of between two times, and what was refunded or disputed by the second one and not yet by the
 * first: a charge may be refunded in several parts.
 */
export function sumMoney(sql: Executor, since: Date, until: Date) {
  return sql<{ currency: string; paid: number; lost: number }[]>`
    with heard as materialized (
      select distinct provider, fact->>'transactionId' as id from billing.facts
       where observed_at > ${since} and observed_at <= ${until} and kind in ('payment', 'refund', 'dispute')),
    known as materialized (
      select h.provider, h.id, f.kind, f.fact, f.observed_at from heard h cross join lateral (
        select * from billing.facts f
         where f.provider = h.provider and f.fact->>'transactionId' = h.id and f.kind in ('payment', 'refund', 'dispute')
           and f.observed_at <= ${until} offset 0) f),
    charges as (
      select provider, id, max(fact->>'currency') as currency, max((fact->>'amountMinor')::bigint) as minor,
             min(observed_at) as heard_at
        from known where kind = 'payment' group by 1, 2),
    losses as (
      select provider, id, bool_or(kind = 'dispute') as is_disputed, max((fact->>'refundedMinor')::bigint) as refunded,
             bool_or(kind = 'dispute' and observed_at <= ${since}) as was_disputed,
             coalesce(max((fact->>'refundedMinor')::bigint) filter (where observed_at <= ${since}), 0) as was_refunded
        from known where kind = 'dispute' or kind = 'refund' and fact->>'status' = 'succeeded'
       group by 1, 2 having max(observed_at) > ${since})
    select c.currency, coalesce(sum(c.minor) filter (where c.heard_at > ${since}), 0)::float8 as paid,
           coalesce(sum(case when l.is_disputed then c.minor else l.refunded end
                        - case when l.was_disputed then c.minor else l.was_refunded end), 0)::float8 as lost
      from charges c left join losses l on l.provider = c.provider and l.id = c.id
     where c.currency is not null and (c.heard_at > ${since} or l.id is not null)
     group by 1 order by 1`;
}

export async function countWaiting(sql: Executor) {
  const [row] = await sql<(Today['waiting'] & { uncredited: number })[]>`
    select (select count(*)::int from mails where ended_at is null) as mails,
           (select count(*)::int from exports where state = 'waiting') as exports,
           (select count(*)::int from deletions where done_at is null) as deletions,
           (select count(*)::int from ${openProposals(sql)}) as proposals,
           (select count(*)::int from billing.uncredited where resolved_at is null) as uncredited`;
  if (!row) throw new Error('a count has a row');
  return row;
}
