import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionCookieName, signSessionToken } from '#server/accounts/secrets/session-cookie.ts';
import { newId } from '#server/platform/ids.ts';
import type { Rig } from '../rig.ts';

export interface SeededUsers {
  ids: string[];
  /** A session cookie for each. */
  cookies: string[];
  /** An API key for each. */
  keys: string[];
}

/** The database writes what seeding left behind for a while, and a commit meanwhile waits for the disk. */
const REST_MS = 3_000;

/**
 * Makes `count` users with their first credits, `credits` more, and one signed-in session and one API key each, in SQL: hashing a
 * thousand passwords would take longer than the measurement.
 */
export async function seedUsers(rig: Rig, count: number, credits = 0): Promise<SeededUsers> {
  const rows = Array.from({ length: count }, () => ({
    id: newId(),
    session: newId(),
    token: randomBytes(24).toString('base64url'),
    keyId: newId(),
    key: `sk-parley-${randomBytes(32).toString('base64url')}`,
  }));
  const ids = rows.map((row) => row.id);
  const column = (key: 'session' | 'token' | 'keyId') => rows.map((row) => row[key]);
  const { sql } = rig.postgres;
  await sql`
    insert into users (id, email, display_name)
    select id, id || '@bench.example', 'bench' from unnest(${ids}::uuid[]) as id`;
  await sql`
    insert into sessions (id, user_id, token, expires_at)
    select *, now() + interval '1 day'
      from unnest(${column('session')}::uuid[], ${ids}::uuid[], ${column('token')}::text[])`;
  const hashes = rows.map(({ key }) => createHash('sha256').update(key).digest('hex'));
  await sql`
    insert into api_keys (id, user_id, name, prefix, hash, created_at)
    select k.id, k.user_id, 'bench', 'sk-parley-', decode(k.hash, 'hex'), now()
      from unnest(${column('keyId')}::uuid[], ${ids}::uuid[], ${hashes}::text[]) as k (id, user_id, hash)`;
  if (credits > 0) {
    await sql`
      select credit.grant_credits(id, 'adjustment', 'bench', null, null, ${credits}, now(), now() + interval '1 day',
        'adjustment', null) from unnest(${ids}::uuid[]) as id`;
  }
  await sql`vacuum analyze`;
  await sleep(REST_MS);
  const name = sessionCookieName(rig.url);
  const cookies = rows.map(({ token }) => `${name}=${cookieValue(token, rig.authSecret)}`);
  return { ids, cookies, keys: rows.map(({ key }) => key) };
}

function cookieValue(token: string, secret: string): string {
  return encodeURIComponent(signSessionToken(token, secret));
}
