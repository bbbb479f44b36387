import type { Charge } from '#contract/message/quotes.ts';
import { type Executor, momentOf, Uncommitted } from '#server/platform/database/database.ts';
import type { ComposedCost } from '../costs/cost-rules.ts';
import type { MessageOutput } from '../message-store/message-parts.ts';
import { writeKept } from '../upstream/transport/kept-parts.ts';
import type { AnswerMetadata } from '../upstream/transport/upstream.ts';
import type { Ending, FreeCount } from './ending-rules.ts';

export interface EndedRun {
  id: string;
  owner: string;
  ending: Ending;
  /** What it counts as among the free messages of the day. */
  free: FreeCount;
  response: string;
  /** What is charged where the price has more than one line; null: the whole price, or nothing. */
  charge: Charge | null;
  output: MessageOutput | null;
  /** What it cost us; null: no provider was asked. */
  providerCost: ComposedCost | null;
  metadata: AnswerMetadata | null;
  contextTrimmed: boolean;
  upstreamSwitched: boolean;
  firstTextMs: number | null;
  endSeq: number;
  /** The events that the log does not have, as JSON text, and the number of the first; null without any. */
  events: string | null;
  firstSeq: number;
  at: Date | null;
}

/**
 * Calls `end_message`: final state, last events and the hold, in one transaction and one round trip. Returns the user's
 * balance and the time of the end, or null when the message does not run any more or belongs to another process.
 */
export async function updateEnded(
  sql: Executor,
  run: EndedRun,
): Promise<Uncommitted<{ balance: number; endedAt: Date } | null>> {
  const { ending, metadata, free } = run;
  const kept = ending.status === 'completed' ? metadata?.kept : null;
  const usage = metadata?.usage ? JSON.stringify(metadata.usage) : null;
  const [row] = await sql<{ balance: number | null; endedAt: Date }[]>`
    select balance, ended_at as "endedAt"
      from set_config('synchronous_commit', 'off', true),
           end_message(${run.id}, ${run.owner}, ${ending.status}, ${run.response}, ${ending.errorCode},
             ${metadata?.modelVersion ?? null}, ${metadata?.upstreamModel ?? null}, ${usage}::text::jsonb, ${run.contextTrimmed},
             ${ending.charged}, ${ending.reason}, ${run.endSeq}, ${run.firstSeq}, ${run.events}::text::jsonb, ${run.at},
             ${run.firstTextMs}, ${run.upstreamSwitched}, ${metadata?.finishReason ?? null}, ${free.isUnanswered},
             ${free.isUncharged}, ${run.charge?.total ?? null}, ${run.charge && JSON.stringify(run.charge.lines)}::text::jsonb,
             ${run.output && JSON.stringify(run.output)}::text::jsonb, ${kept ? writeKept(kept) : null},
             ${run.providerCost && JSON.stringify(run.providerCost)}::text::jsonb)`;
  if (!row || row.balance === null) return new Uncommitted(null);
  return new Uncommitted({ balance: row.balance, endedAt: row.endedAt });
}

export interface Interrupted {
  id: string;
  userId: string;
  balance: number;
}

/**
 * Calls `interrupt_messages`. `costs`: what the messages cost us, of those for which a provider was asked. Returns those that this
 * call has ended, with the users' balances.
 */
export async function interruptRunning(
  sql: Executor,
  ids: string[],
  costs: ReadonlyMap<string, ComposedCost>,
  at: Date | null,
): Promise<Interrupted[]> {
  return sql<Interrupted[]>`
    select message_id as id, user_id as "userId", balance 
      from interrupt_messages(${ids}::uuid[], ${at}, ${JSON.stringify(Object.fromEntries(costs))}::text::jsonb)`;
}

/** Messages of all processes that are being answered, the credits that are held for them, and seconds since the oldest was sent. */
export async function countHolds(
  sql: Executor,
  at: Date,
): Promise<{ count: number; credits: number; oldest: number }> {
  const [row] = await sql<{ count: number; credits: number; oldest: number }[]>`
    select count(*)::int as count, coalesce(sum(cost), 0)::int as credits,
           greatest(0, coalesce(extract(epoch from ${at}::timestamptz - min(created_at)), 0))::float as oldest
      from messages where status = 'running'`;
  return row ?? { count: 0, credits: 0, oldest: 0 };
}

export interface RunningRow {
  id: string;
  userId: string;
  /** Whether it is this instance's. */
  isOwn: boolean;
  /** Whether the instance that runs it is dead: deleted, or not seen within the lease. */
  isDead: boolean;
  isStopRequested: boolean;
  ageMs: number;
}

/** The running messages that concern an instance: its own, and those of instances that are dead. */
export async function selectRunning(
  sql: Executor,
  owner: string,
  leaseMs: number,
  at: Date | null,
): Promise<RunningRow[]> {
  return sql<RunningRow[]>`
    select m.id, m.user_id as "userId", m.owner = ${owner} as "isOwn",
           i.id is null or i.seen_at < clock_timestamp() - ${leaseMs} * interval '1 ms' as "isDead",
           m.stop_requested_at is not null as "isStopRequested",
           (extract(epoch from ${momentOf(sql, at)} - m.created_at) * 1000)::float8 as "ageMs"
      from messages m left join instances i on i.id = m.owner
     where m.status = 'running'
       and (m.owner = ${owner} or i.id is null or i.seen_at < clock_timestamp() - ${leaseMs} * interval '1 ms')`;
}

/** Deletes the rows of instances that were not seen for `hours` and run nothing. */
export async function deleteDeadInstances(sql: Executor, hours: number): Promise<void> {
  await sql`
    delete from instances i where i.seen_at < clock_timestamp() - ${hours} * interval '1 hour'
       and not exists (select from messages m where m.status = 'running' and m.owner = i.id)`;
}
