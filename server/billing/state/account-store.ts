import type { Executor, Fragment } from '#server/platform/database/database.ts';

/** The projected fields of a user besides orders and the subscription. */
export interface AccountRow {
  clearedDisputes: string[];
  disputed: boolean;
  nextChangeAt: Date | null;
}

const columns = (sql: Executor) => sql`
  cleared_disputes as "clearedDisputes", disputed, next_change_at as "nextChangeAt"`;

/** The row of a user who ever began a checkout, locked until the transaction ends; null for everybody else. */
export async function lockKnownAccount(tx: Executor, userId: string): Promise<AccountRow | null> {
  const [row] = await tx<AccountRow[]>`
    select ${columns(tx)} from billing.account where user_id = ${userId} for no key update`;
  return row ?? null;
}

/** Writes the projected fields that differ. */
export async function updateAccount(
  tx: Executor,
  userId: string,
  { disputed, nextChangeAt }: Pick<AccountRow, 'disputed' | 'nextChangeAt'>,
  at: Date,
): Promise<void> {
  await tx`
    update billing.account set disputed = ${disputed}, next_change_at = ${nextChangeAt}, projected_at = ${at}
     where user_id = ${userId}
       and (disputed, next_change_at) is distinct from (${disputed}::boolean, ${nextChangeAt}::timestamptz)`;
}

/** Records that there are new facts of the user: if the caller is interrupted before the projection, the job does it. */
export async function markDue(tx: Executor, userId: string, at: Date): Promise<void> {
  await tx`update billing.account set next_change_at = least(next_change_at, ${at}::timestamptz) where user_id = ${userId}`;
}

/** Users whose projection time has changed. */
export function dueUsers(sql: Executor, at: Date): Fragment {
  return sql`from billing.account where next_change_at <= ${at} order by next_change_at`;
}

/** Takes users whose projection time has changed; they come again after `leaseMs` unless they are projected. */
export async function leaseDueUsers(
  sql: Executor,
  at: Date,
  leaseMs: number,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    update billing.account a set next_change_at = ${new Date(at.getTime() + leaseMs)}
      from (select user_id ${dueUsers(sql, at)} limit ${limit} for no key update skip locked) due
     where a.user_id = due.user_id
    returning a.user_id as "userId"`;
  return rows.map(({ userId }) => userId);
}

/** A dispute that no operator has cleared. */
export interface OpenDispute {
  userId: string;
  paymentKey: string;
  /** When it began, else when we learnt of it. */
  since: Date;
}

/** Open disputes that this user brought about, or another account that proved the mailbox when it ordered or since. */
export function selectOpenDisputes(
  sql: Executor,
  userId: string,
  emailHash: Buffer | null,
): Promise<OpenDispute[]> {
  return sql<OpenDispute[]>`
    with answerable as (
      select ${userId}::uuid as user_id
       union select user_id from billing.order_mailboxes where address_hash = ${emailHash}::bytea
    )
    select a.user_id as "userId", f.provider || ':' || f.subject as "paymentKey",
           min(coalesce((f.fact->>'at')::timestamptz, f.observed_at)) as since
      from answerable join billing.account a using (user_id)
      join billing.facts f on f.user_id = a.user_id and f.kind = 'dispute'
     where (a.disputed or a.user_id = ${userId}) and f.provider || ':' || f.subject <> all (a.cleared_disputes)
     group by 1, 2`;
}

const withheld = (sql: Executor) =>
  sql`select user_id from billing.uncredited where reason = 'checkout_blocked' and resolved_at is null`;

/** Locks the accounts of a user and of whoever paid while a dispute was open, in the order in which others lock several accounts. */
export async function lockWithheld(tx: Executor, userId: string): Promise<void> {
  await tx`
    select from billing.account where user_id in (select ${userId}::uuid union ${withheld(tx)})
     order by user_id for no key update`;
}

/** Whoever paid while a dispute was open is projected anew: it may have been that one. */
export async function markWithheldDue(tx: Executor, at: Date): Promise<void> {
  await tx`
    update billing.account set next_change_at = least(next_change_at, ${at}::timestamptz)
     where user_id in (${withheld(tx)})`;
}

/** A dispute of the user no longer blocks anything; if the caller is interrupted before the projection, the job does it. */
export async function addClearedDispute(
  tx: Executor,
  userId: string,
  paymentKey: string,
  at: Date,
): Promise<void> {
  await tx`
    update billing.account
       set cleared_disputes = array_append(array_remove(cleared_disputes, ${paymentKey}), ${paymentKey}),
           next_change_at = least(next_change_at, ${at}::timestamptz)
     where user_id = ${userId}`;
}
