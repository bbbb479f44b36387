import type { Act } from '#contract/admin/acts.ts';
import { type Executor, type Fragment, momentOf } from '#server/platform/database/database.ts';
import { openProposals } from '../billing-records/store.ts';

/** Holds the id of an act, or a charge by its key, until the transaction ends: of two acts the second sees the first. */
export async function lockAct(tx: Executor, key: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('act:' || ${key}, 0))`;
}

export interface RecordedAct {
  operatorId: string | null;
  /** As it was asked for. */
  act: Act;
  reason: string;
  at: Date;
  actor: string;
}

/** The act of an id that was carried out, or is being; null: none. */
export async function findRecorded(sql: Executor, actId: string): Promise<RecordedAct | null> {
  const [row] = await sql<RecordedAct[]>`
    select operator_id as "operatorId", details->'act' as act, reason, at, actor from billing.audit where act_id = ${actId}`;
  return row ?? null;
}

/** What an operator has moved without a second one since `since`: credits given and taken, and minor units that were refunded or may yet be. */
export async function sumActs(
  tx: Executor,
  operatorId: string,
  since: Date,
): Promise<{ credits: number; minor: number }> {
  const [row] = await tx<{ credits: number; minor: number }[]>`
    select coalesce(sum((details->>'credits')::bigint), 0)::float8 as credits,
           coalesce(sum((details->>'minor')::bigint), 0)::float8 as minor
      from billing.audit a
     where operator_id = ${operatorId} and at > ${since} and not details ? 'agreedBy'
       and not (act = 'refund' and ${hasFailed(tx)})`;
  return row ?? { credits: 0, minor: 0 };
}

export interface ProposalRow {
  id: string;
  act: Act;
  reason: string;
  operatorId: string;
  proposedAt: Date;
  decision: 'agree' | 'refuse' | null;
}

/** Keeps an act until a second operator decides. False: this id was proposed before. */
export async function insertProposal(
  sql: Executor,
  { id, act, reason, operatorId, proposedAt }: Omit<ProposalRow, 'decision'>,
): Promise<boolean> {
  const { count } = await sql`
    insert into billing.proposals (id, act, reason, operator_id, proposed_at)
    values (${id}, ${JSON.stringify(act)}::text::jsonb, ${reason}, ${operatorId}, ${proposedAt})
    on conflict do nothing`;
  return count > 0;
}

export async function findProposal(sql: Executor, id: string): Promise<ProposalRow | null> {
  const [row] = await sql<ProposalRow[]>`
    select id, act, reason, operator_id as "operatorId", proposed_at as "proposedAt", decision
      from billing.proposals where id = ${id}`;
  return row ?? null;
}

/** Decides a proposal that waits; refuses also one whose agreement was cut off. False: it was decided. */
export async function decide(
  sql: Executor,
  { id, decision, decidedBy, at }: { id: string; decision: 'agree' | 'refuse'; decidedBy: string; at: Date },
): Promise<boolean> {
  const { count } = await sql`
    update billing.proposals set decision = ${decision}, decided_by = ${decidedBy}, decided_at = ${at}
     where id = ${id} and (decision is null
        or ${decision} = 'refuse' and decision = 'agree' and not exists (select from billing.audit where act_id = ${id}))`;
  return count > 0;
}

/** The id of the user whom an act is for, also by their order. */
const concernedBy = (sql: Executor, act: Fragment) => sql`
  coalesce((${act}->>'userId')::uuid, (select user_id from billing.orders where id = (${act}->>'orderId')::uuid))`;

/** The user whom an act is for; null: none. */
export async function findConcerned(
  sql: Executor,
  act: Act,
): Promise<{ userId: string; email: string | null } | null> {
  const [row] = await sql<{ userId: string; email: string | null }[]>`
    select id as "userId", email from users where id = ${concernedBy(sql, sql`${sql.json(act)}::jsonb`)}`;
  return row ?? null;
}

/** Takes an agreement back whose act could not be carried out. */
export async function reopen(sql: Executor, id: string): Promise<void> {
  await sql`
    update billing.proposals set decision = null, decided_by = null, decided_at = null
     where id = ${id} and decision = 'agree' and not exists (select from billing.audit where act_id = ${id})`;
}

export type ShownProposal = ProposalRow & { proposedBy: string; who: string | null };

/** Proposals of operators that wait, and agreements that were cut off: those that `operatorId` may decide first, the oldest at the front. */
export function selectProposals(
  sql: Executor,
  operatorId: string | null,
  limit: number,
): Promise<ShownProposal[]> {
  return sql<ShownProposal[]>`
    select p.id, p.act, p.reason, p.operator_id as "operatorId", p.proposed_at as "proposedAt", p.decision,
           proposer.email as "proposedBy",
           (select u.email from users u where u.id = ${concernedBy(sql, sql`p.act`)}) as who
      from ${openProposals(sql)}
     order by p.operator_id = ${operatorId}::uuid, p.proposed_at limit ${limit}`;
}

/** Whether the refund of the line `a` is one that its provider refused. */
const hasFailed = (sql: Executor) => sql`exists (
  select from billing.audit f
   where f.act = 'refund_failed' and f.user_id = a.user_id and f.details->>'actId' = a.act_id::text)`;

/** Why the provider refused the refund of an act; null: it did not. */
export async function findFailure(sql: Executor, userId: string, actId: string): Promise<string | null> {
  const [row] = await sql<{ error: string }[]>`
    select details->>'error' as error from billing.audit
     where act = 'refund_failed' and user_id = ${userId} and details->>'actId' = ${actId}`;
  return row?.error ?? null;
}

/** Whether a refund of a charge that was asked for since a time by another act than this one was paid, or may yet be. */
export async function isRefundAsked(
  tx: Executor,
  charge: { userId: string; paymentKey: string },
  actId: string,
  since: Date,
): Promise<boolean> {
  const { count } = await tx`
    select from billing.audit a
     where act = 'refund' and user_id = ${charge.userId} and subject = ${charge.paymentKey} and act_id <> ${actId}
       and at > ${since} and not ${hasFailed(tx)} limit 1`;
  return count > 0;
}

/** A refund that was noted, and who asked for it. */
export interface NotedRefund extends Pick<RecordedAct, 'operatorId' | 'actor' | 'reason' | 'at'> {
  id: string;
  userId: string;
  paymentKey: string;
}

/** Refunds recorded in a time of which no fact says that the whole charge was refunded, the oldest first. */
export function selectOpenRefunds(
  sql: Executor,
  { since, until, limit }: { since: Date; until: Date; limit: number },
): Promise<NotedRefund[]> {
  return sql<NotedRefund[]>`
    select act_id as id, user_id as "userId", subject as "paymentKey", operator_id as "operatorId", actor, reason, at
      from billing.audit a
     where act = 'refund' and at > ${since} and at <= ${until} and not ${hasFailed(sql)}
       and not exists (
         select from billing.facts f
          where f.user_id = a.user_id and f.kind = 'refund' and f.fact->>'status' = 'succeeded'
            and f.provider || ':' || (f.fact->>'transactionId') = a.subject
            and (f.fact->>'refundedMinor')::bigint >= (f.fact->>'paidMinor')::bigint)
     order by a.at, a.id limit ${limit}`;
}

/** The end of what is given now for so many milliseconds. `at` as `clock.databaseTime()` gives it. */
export async function findEnd(sql: Executor, lifeMs: number, at: Date | null): Promise<Date> {
  const [row] = await sql<{ endsAt: Date }[]>`
    select ${momentOf(sql, at)} + ${lifeMs} * interval '1 ms' as "endsAt"`;
  if (!row) throw new Error('the database did not tell its time');
  return row.endsAt;
}
