import type { Executor } from '#server/platform/database/database.ts';
import type { RateLimit } from '#server/platform/database/rate-limit.ts';

/** What a key may do; null is without that limit. */
export interface KeyScopes {
  models: string[] | null;
  monthlyCap: number | null;
  allowedAddresses: string[] | null;
  expiresAt: Date | null;
}

export interface KeyRow extends KeyScopes {
  id: string;
  name: string;
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface NewKey extends KeyScopes {
  id: string;
  userId: string;
  name: string;
  prefix: string;
  /** SHA-256 of the key. */
  hash: Buffer;
  at: Date | null;
}

const keyColumns = (sql: Executor) => sql`
  k.id, k.name, k.prefix, k.models, k.monthly_cap as "monthlyCap", k.allowed_addresses as "allowedAddresses",
  k.expires_at as "expiresAt", k.created_at as "createdAt", k.last_used_at as "lastUsedAt"`;

/** Calls `create_api_key`; false when the user has `most` live keys already. */
export async function insertKey(sql: Executor, key: NewKey, most: number): Promise<boolean> {
  const [row] = await sql<{ created: boolean }[]>`
    select create_api_key(${key.id}, ${key.userId}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.models},
      ${key.monthlyCap}, ${key.allowedAddresses}, ${key.expiresAt}, ${most}, ${key.at}) as created`;
  return row?.created ?? false;
}

/** The user's keys that are not revoked, newest first. */
export async function selectKeys(sql: Executor, userId: string): Promise<KeyRow[]> {
  return sql<KeyRow[]>`
    select ${keyColumns(sql)} from api_keys k
     where k.user_id = ${userId} and k.revoked_at is null order by k.created_at desc, k.id desc`;
}

/** Every key that the user has or had, newest first. */
export async function selectAllKeys(
  sql: Executor,
  userId: string,
): Promise<(KeyRow & { revokedAt: Date | null })[]> {
  return sql<(KeyRow & { revokedAt: Date | null })[]>`
    select ${keyColumns(sql)}, k.revoked_at as "revokedAt" from api_keys k
     where k.user_id = ${userId} order by k.created_at desc, k.id desc`;
}

/** One of the user's keys that are not revoked, locked until the transaction ends. */
export async function lockKey(sql: Executor, userId: string, id: string): Promise<KeyRow | null> {
  const [row] = await sql<KeyRow[]>`
    select ${keyColumns(sql)} from api_keys k
     where k.id = ${id} and k.user_id = ${userId} and k.revoked_at is null for update`;
  return row ?? null;
}

/** Writes a name and scopes; null when the user has no such key or it is revoked. */
export async function updateKey(
  sql: Executor,
  key: { userId: string; id: string; name: string } & KeyScopes,
): Promise<KeyRow | null> {
  const [row] = await sql<KeyRow[]>`
    update api_keys k set name = ${key.name}, models = ${key.models}, monthly_cap = ${key.monthlyCap},
           allowed_addresses = ${key.allowedAddresses}, expires_at = ${key.expiresAt}
     where k.id = ${key.id} and k.user_id = ${key.userId} and k.revoked_at is null
    returning ${keyColumns(sql)}`;
  return row ?? null;
}

/** Ends a key of the user for good; false when there is none such that is live. */
export async function updateRevoked(sql: Executor, userId: string, id: string, at: Date | null) {
  const result = await sql`
    update api_keys set revoked_at = coalesce(${at}::timestamptz, clock_timestamp())
     where id = ${id} and user_id = ${userId} and revoked_at is null`;
  return result.count > 0;
}

export interface UsedKey extends KeyScopes {
  id: string;
  userId: string;
  /** Requests of the user in the window, this one included. */
  count: number;
  /** Seconds until the window ends. */
  reset: number;
  /** Whether it may be used from where it came; where not, nothing was noted and counted. */
  isWithin: boolean;
}

/**
 * The live key of a hash, noted as used, and one more request counted for its user, where it may be used from the address: one statement.
 * Looked up by a hash of 256 random bits, so that the time it takes says nothing about any key.
 */
export async function takeKeyUse(
  sql: Executor,
  hash: Buffer,
  { ip, windowSeconds }: { ip: string } & Pick<RateLimit, 'windowSeconds'>,
  at: Date | null,
): Promise<UsedKey | null> {
  const now = sql`coalesce(${at}::timestamptz, clock_timestamp())`;
  const isOver = sql`r.started_at <= ${now} - ${windowSeconds} * interval '1 second'`;
  const [row] = await sql<UsedKey[]>`
    with k as (
      select *, allowed_addresses is null or ${ip}::inet <<= any (allowed_addresses::inet[]) as is_within from api_keys
       where hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > ${now})),
    used as (
      update api_keys set last_used_at = ${now} from k
       where api_keys.id = k.id and k.is_within and (k.last_used_at is null or k.last_used_at < ${now} - interval '1 minute')),
    counted as (
      insert into rate_limits as r (key, count, started_at) select 'api:' || k.user_id, 1, ${now} from k where k.is_within
      on conflict (key) do update set
        count = case when ${isOver} then 1 else least(r.count, 1000000) + 1 end,
        started_at = case when ${isOver} then ${now} else r.started_at end
      returning count, greatest(1, ceil(extract(epoch from started_at - ${now}) + ${windowSeconds}))::int as reset)
    select k.id, k.user_id as "userId", k.models, k.monthly_cap as "monthlyCap",
           k.allowed_addresses as "allowedAddresses", k.expires_at as "expiresAt", k.is_within as "isWithin",
           coalesce(counted.count, 0) as count, coalesce(counted.reset, 0) as reset
      from k left join counted on true`;
  return row ?? null;
}
