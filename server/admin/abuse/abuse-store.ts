import type { AbuseScreen, SignUpGroup } from '#contract/admin/abuse.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { firstIdAt } from '#server/platform/ids.ts';

/** Most rows of a list. */
const MAX_ROWS = 20;
/** Most accounts that are grouped; the newest. */
const MAX_SIGN_UPS = 20_000;

/** Accounts opened since that have `key` in common. */
export type GroupRow = Omit<SignUpGroup, 'newest'> & {
  key: string;
  newestId: string;
  newestEmail: string | null;
};

/**
 * Accounts opened since, by the keyed hash of the network that they were opened from (in hexadecimal digits) or by the domain of their
 * addresses; those that were refused most free months first. What has neither is left out.
 */
export function selectSignUps(sql: Executor, since: Date, by: 'network' | 'domain'): Promise<GroupRow[]> {
  const key =
    by === 'network' ? sql`encode(u.network_hash, 'hex')` : sql`nullif(split_part(u.email, '@', 2), '')`;
  return sql<GroupRow[]>`
    with opened as (
      select u.id, u.email, u.email_verified, u.free_withheld, ${key} as key from users u
       where u.id >= ${firstIdAt(since)} order by u.id desc limit ${MAX_SIGN_UPS}),
    judged as (
      select o.*, exists (select from credit.bucket b where b.user_id = o.id and b.kind = 'free') as is_given,
             coalesce(o.free_withheld, case when a.free_taken_until is not null then a.free_taken_by end) as reason
        from opened o join credit.account a on a.user_id = o.id where o.key is not null)
    select key, count(*)::int as "signUps", count(*) filter (where email_verified)::int as verified,
           count(*) filter (where is_given)::int as given,
           count(*) filter (where not is_given and reason is not null)::int as withheld,
           coalesce(array_agg(distinct reason order by reason) filter (where not is_given and reason is not null), '{}') as reasons,
           (array_agg(id order by id desc))[1] as "newestId", (array_agg(email order by id desc))[1] as "newestEmail"
      from judged group by key order by withheld desc, "signUps" desc, key limit ${MAX_ROWS}`;
}

/** Networks that accounts were opened from in the last day, as `networkOf` writes them. */
export async function selectSignUpNetworks(sql: Executor, limit: number): Promise<string[]> {
  const rows = await sql<{ network: string }[]>`
    select substr(key, length('sign-up:') + 1) as network from rate_limits
     where key >= 'sign-up:' and key < 'sign-up;' order by count desc limit ${limit}`;
  return rows.map(({ network }) => network);
}

/** Users with the most free messages on a day, as `YYYY-MM-DD`, measured by how many they have of either kind. */
export function selectFreeMessages(
  sql: Executor,
  day: string,
  { unanswered, uncharged }: { unanswered: number; uncharged: number },
): Promise<AbuseScreen['freeMessages']['users']> {
  return sql<AbuseScreen['freeMessages']['users']>`
    select f.user_id as "userId", max(u.email) as email, f.key_id is not null as "viaApi",
           sum(f.ended_by_user)::int as unanswered, sum(f.uncharged)::int as uncharged
      from free_messages f join users u on u.id = f.user_id where f.day = ${day}::date
     group by f.user_id, f.key_id is not null
     order by greatest(sum(f.ended_by_user)::float8 / ${unanswered}, sum(f.uncharged)::float8 / ${uncharged}) desc, 1 limit ${MAX_ROWS}`;
}

interface TriedRow {
  address: string;
  userId: string | null;
  tries: number;
  since: Date;
}

/** Addresses at which strangers tried at least so many passwords in an hour of the last day, without a right one since. */
export function selectTriedAddresses(sql: Executor, least: number): Promise<TriedRow[]> {
  return sql<TriedRow[]>`
    with tried as (
      select substr(key, length('sign-in:') + 1) as address, count as tries, started_at as since from rate_limits
       where key >= 'sign-in:' and key < 'sign-in;' and count >= ${least} and key ~ '^sign-in:[^:]*@[^:]*$'
       order by count desc, key limit ${MAX_ROWS})
    select address, u.id as "userId", tries, since from tried left join users u on u.email = address
     order by tries desc, address`;
}

interface DeclinedRow {
  userId: string;
  email: string | null;
  declined: number;
  paid: number;
  lastAt: Date;
}

/** Users with at least so many orders since whose card was declined, and how many they paid. */
export function selectDeclined(sql: Executor, since: Date, least: number): Promise<DeclinedRow[]> {
  return sql<DeclinedRow[]>`
    with declined as (
      select user_id, count(*) filter (where status = 'failed')::int as declined,
             count(*) filter (where paid_at is not null)::int as paid,
             max(created_at) filter (where status = 'failed') as last_at
        from billing.orders where id >= ${firstIdAt(since)} and checkout_id is not null
       group by user_id having count(*) filter (where status = 'failed') >= ${least}
       order by 2 desc, 1 limit ${MAX_ROWS})
    select user_id as "userId", email, declined, paid, last_at as "lastAt" from declined d join users u on u.id = d.user_id
     order by declined desc, user_id`;
}

/** Users who stored the most bytes since, with all that they have. */
export function selectFileUsers(sql: Executor, since: Date): Promise<AbuseScreen['files']> {
  return sql<AbuseScreen['files']>`
    with grown as (
      select user_id, count(*)::int as files, sum(received)::float8 as bytes from files
       where id >= ${firstIdAt(since)} group by user_id order by 3 desc, 1 limit ${MAX_ROWS})
    select g.user_id as "userId", u.email, g.files, g.bytes,
           (select sum(received)::float8 from files f where f.user_id = g.user_id) as total
      from grown g join users u on u.id = g.user_id where g.bytes > 0 order by g.bytes desc, g.user_id`;
}
