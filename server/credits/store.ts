// Holds are not here: SQL functions of messages take and close them (credit.take_hold, credit.close_hold in
// db/functions/credits.sql), so that a message and its credits change in one statement.
import type { PendingQuery, Row } from 'postgres';
import type { EntryKind, LedgerPage } from '#contract/credits.ts';
import type { Charge } from '#contract/message/quotes.ts';
import { type Executor, momentOf } from '#server/platform/database/database.ts';

export type BucketKind = 'free' | 'subscription' | 'adjustment';

/** A row of `credit.transfer` that the user sees as a line, with what its bucket and its hold add to it. */
export interface LineRow {
  id: string;
  at: Date;
  kind: EntryKind;
  change: number;
  balanceAfter: number;
  reason: string;
  holdId: string | null;
  orderId: string | null;
  pending: boolean;
  /** The model of the hold; null without one. */
  model: string | null;
  /** The name that the API key had which spent them; null without one. */
  keyName: string | null;
  /** Of a charge: what was spent of it, and what for; null where it was all for the message. */
  lines: Charge['lines'] | null;
}

/** Why the user is given no free credits now; null where they are, and where a plan stands in for them. */
export async function selectFreeRefusal(
  sql: Executor,
  userId: string,
  at: Date | null,
): Promise<LedgerPage['freeWithheld'] | null> {
  const [row] = await sql<{ reason: NonNullable<LedgerPage['freeWithheld']> | null }[]>`
    select case when a.free_paused_until > ${momentOf(sql, at)} then null else coalesce(u.free_withheld,
                    case when a.free_taken_until > ${momentOf(sql, at)}
                         then case when a.free_taken_by = 'address_used' and not u.email_verified then 'address_unproved'
                                   else a.free_taken_by end end) end as reason
      from users u join credit.account a on a.user_id = u.id where u.id = ${userId}`;
  return row?.reason ?? null;
}

export async function selectBalance(sql: Executor, userId: string, at: Date | null): Promise<number> {
  const rows = await sql<{ balance: number }[]>`select credit.read_balance(${userId}, ${at}) as balance`;
  return only(rows).balance;
}

/** Calls `credit.grant_credits`. */
export async function insertBucket(
  sql: Executor,
  bucket: {
    userId: string;
    kind: BucketKind;
    sourceKey: string;
    paymentKey: string | null;
    orderId: string | null;
    amount: number;
    startsAt: Date | null;
    expiresAt: Date;
    reason: string;
    at: Date | null;
  },
) {
  const rows = await sql<{ granted: boolean; balance: number }[]>`
    select granted, balance
      from credit.grant_credits(${bucket.userId}, ${bucket.kind}, ${bucket.sourceKey}, ${bucket.paymentKey},
        ${bucket.orderId}, ${bucket.amount}, ${bucket.startsAt}, ${bucket.expiresAt}, ${bucket.reason}, ${bucket.at})`;
  return only(rows);
}

/** Calls `credit.revoke_credits`. */
export async function raiseRevokeTarget(
  sql: Executor,
  revocation: {
    userId: string;
    sourceKey: string | null;
    paymentKey: string | null;
    revokeTarget: number;
    reason: string;
    at: Date | null;
  },
) {
  const rows = await sql<{ known: boolean; taken: number; balance: number }[]>`
    select known, taken, balance
      from credit.revoke_credits(${revocation.userId}, ${revocation.sourceKey}, ${revocation.paymentKey}, ${revocation.revokeTarget},
        ${revocation.reason}, ${revocation.at})`;
  return only(rows);
}

/** Calls `credit.restore_credits`. */
export async function lowerRevokeTarget(
  sql: Executor,
  {
    userId,
    paymentKey,
    revokeTarget,
    at,
  }: { userId: string; paymentKey: string; revokeTarget: number; at: Date | null },
) {
  const rows = await sql<{ given: number; balance: number }[]>`
    select given, balance from credit.restore_credits(${userId}, ${paymentKey}, ${revokeTarget}, ${at})`;
  return only(rows);
}

/** A bucket that a payment made. */
export interface GrantRow {
  sourceKey: string;
  paymentKey: string | null;
  orderId: string | null;
  amount: number;
  revokeTarget: number;
  /** What of that an operator took by hand. */
  byHand: number;
  startsAt: Date;
  expiresAt: Date;
}

export function selectGrants(sql: Executor, userId: string): Promise<GrantRow[]> {
  return sql<GrantRow[]>`
    select source_key as "sourceKey", payment_key as "paymentKey", order_id as "orderId", amount,
           revoke_target as "revokeTarget", case when revoke_target > 0 then credit.by_hand(user_id, id) else 0 end as "byHand",
           starts_at as "startsAt", expires_at as "expiresAt"
      from credit.bucket where user_id = ${userId} and kind = 'subscription'`;
}

/** The balance, with the account's lock kept until the transaction ends. */
export async function readBalanceLocked(tx: Executor, userId: string, at: Date | null): Promise<number> {
  await tx`select from credit.account where user_id = ${userId} for no key update`;
  return selectBalance(tx, userId, at);
}

/** Buckets with something to spend, the one that ends first at the front. */
export function selectSpendable(
  tx: Executor,
  userId: string,
): Promise<{ sourceKey: string; available: number; revokeTarget: number }[]> {
  return tx<{ sourceKey: string; available: number; revokeTarget: number }[]>`
    select source_key as "sourceKey", available, revoke_target as "revokeTarget" from credit.bucket
     where user_id = ${userId} and ended_at is null and available > 0 order by expires_at, id`;
}

/** What the balance consists of, by the time at which it ends, what ends first at the front. */
export function selectLots(sql: Executor, userId: string): Promise<{ credits: number; expiresAt: Date }[]> {
  return sql<{ credits: number; expiresAt: Date }[]>`
    select sum(available)::int as credits, expires_at as "expiresAt" from credit.bucket
     where user_id = ${userId} and ended_at is null and available > 0
     group by expires_at order by expires_at`;
}

/** When the next free month begins, as things are: once all that stands in its way is over. Null: at no known time. */
export async function selectNextFree(sql: Executor, userId: string, at: Date | null): Promise<Date | null> {
  const [row] = await sql<{ beginsAt: Date }[]>`
    select begins_at as "beginsAt"
      from (select greatest(a.free_paused_until, a.free_taken_until,
                     (select max(b.expires_at) from credit.bucket b
                       where b.user_id = a.user_id and b.ended_at is null
                         and (b.kind = 'free' or (b.kind = 'subscription' and b.revoke_target < b.amount)))) as begins_at
              from credit.account a where a.user_id = ${userId} and not a.free_withheld and a.closed_at is null) as next
     where begins_at > ${momentOf(sql, at)}`;
  return row?.beginsAt ?? null;
}

/** The Credits that messages took since a moment and did not return, by quarters of an hour, oldest first. */
export function selectSpending(
  sql: Executor,
  userId: string,
  from: Date,
): Promise<{ at: Date; credits: number }[]> {
  return sql<{ at: Date; credits: number }[]>`
    select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00Z') as at, sum(credits)::int as credits
      from (select min(at) as at, -sum(line_change) as credits from credit.transfer
             where user_id = ${userId} and id >= (select credit.first_transfer_since(${userId}, ${from}))
               and at >= ${from} and hold_id is not null and line_change is not null
             group by hold_id) message
     where credits > 0
     group by 1 order by 1`;
}

/** Calls `credit.pause_free_months`. */
export async function updateFreePause(sql: Executor, userId: string, until: Date | null): Promise<void> {
  await sql`select credit.pause_free_months(${userId}, ${until})`;
}

/** Books at most `limit` expired buckets and returns the balances of the users they belong to. */
export async function expireBuckets(sql: Executor, limit: number, at: Date | null) {
  return sql<{ userId: string; balance: number }[]>`
    select user_id as "userId", balance from credit.sweep_expired(${limit}, ${at})`;
}

/** What does not fit in the ledger of a user. */
export interface Drift {
  kind: string;
  userId: string;
  detail: Record<string, unknown>;
}

/** Calls `credit.check_booked`. */
export function checkBooked(sql: Executor, limit: number, settledMs: number): Promise<Drift[]> {
  return sql<Drift[]>`
    select kind, user_id as "userId", detail from credit.check_booked(${limit}, ${settledMs} * interval '1 ms')`;
}

/** Whether there are transfers that can be checked now. */
export async function isCheckDue(sql: Executor): Promise<boolean> {
  const rows = await sql`select from credit.checking where checked_to < until`;
  return rows.length > 0;
}

/**
 * When all that was booked before was last checked, null before the first time, and whether that is more than `lateMs` ago; before the
 * first time, whether there have been credits for so long.
 */
export async function findLastCheck(sql: Executor, lateMs: number) {
  const [row] = await sql<{ checkedAt: Date | null; isLate: boolean }[]>`
    select case when isfinite(noted_at) then noted_at end as "checkedAt",
           case when isfinite(noted_at) then noted_at < late
             else exists (select from credit.bucket where starts_at < late) end as "isLate"
      from credit.checking, (select clock_timestamp() - ${lateMs} * interval '1 ms' as late) as limits`;
  if (!row) throw new Error('the check has its row');
  return row;
}

/** All that does not fit, in the whole ledger of some users. */
export function selectDriftOf(sql: Executor, userIds: readonly string[]): Promise<Drift[]> {
  return sql<Drift[]>`
    select kind, user_id as "userId", detail from credit.drift where user_id = any(${userIds}::uuid[]) limit 200`;
}

/** Accounts by their ids, after `after`. */
export async function selectAccounts(sql: Executor, after: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select user_id as id from credit.account where user_id > ${after}::uuid order by user_id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** The newest `limit` lines older than the line `before` (null: from the newest on), of one kind or of all, newest first. */
export async function selectLines(
  sql: Executor,
  userId: string,
  { before, kind, limit }: { before: string | null; kind: EntryKind | null; limit: number },
): Promise<LineRow[]> {
  const lines = movesOf(sql, kind)
    .map(
      (move) => sql`
        (select t.* from credit.transfer t join credit.bucket b on b.id = t.bucket_id
          where t.user_id = ${userId} and t.line_change is not null and ${move}
            and t.id < coalesce(${before}::bigint, 9223372036854775807)
          order by t.id desc limit ${limit})`,
    )
    .reduce((some, others) => sql`${some} union all ${others}`);
  return sql<LineRow[]>`
    select t.id, t.at, case
             when t.src = 'issue' and b.kind = 'adjustment' then 'adjust'
             when t.dst = 'revoked' and t.reason = 'correction' then 'adjust'
             when t.src = any ('{issue,revoked}') then 'grant'
             when t.dst = 'held' then 'charge'
             when t.src = any ('{held,spent}') then 'release'
             when t.dst = 'expired' then 'expire'
             else 'revoke' end as kind,
           t.line_change as change, t.balance_after as "balanceAfter", t.reason,
           coalesce(h.of_hold, t.hold_id) as "holdId", b.order_id as "orderId",
           t.dst = 'held' and coalesce(h.state = 'held', false) as pending, h.note as "keyName", h.model,
           case when t.dst = 'held' then h.lines end as lines
      from (${lines}) t
      join credit.bucket b on b.id = t.bucket_id
      left join credit.hold h on h.user_id = t.user_id and h.id = t.hold_id
     order by t.id desc limit ${limit}`;
}

/** The moves of credits that are lines of a kind; each is found by one index. */
function movesOf(sql: Executor, kind: EntryKind | null): PendingQuery<Row[]>[] {
  const issued = sql`t.dst <> 'held' and t.src = 'issue' and t.dst = 'available'`;
  const revoked = sql`t.dst <> 'held' and t.src = 'available' and t.dst = 'revoked'`;
  switch (kind) {
    case null:
      return [sql`true`];
    case 'charge':
      return [sql`t.dst = 'held'`];
    case 'grant':
      return [
        sql`${issued} and b.kind <> 'adjustment'`,
        sql`t.dst <> 'held' and t.src = 'revoked' and t.dst = 'available'`,
      ];
    case 'adjust':
      return [sql`${issued} and b.kind = 'adjustment'`, sql`${revoked} and t.reason = 'correction'`];
    case 'release':
      return [
        sql`t.dst <> 'held' and t.src = 'held' and t.dst = 'available'`,
        sql`t.dst <> 'held' and t.src = 'spent' and t.dst = 'available'`,
      ];
    case 'expire':
      return [sql`t.dst <> 'held' and t.src = 'available' and t.dst = 'expired'`];
    case 'revoke':
      return [sql`${revoked} and t.reason <> 'correction'`];
  }
}

function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}
