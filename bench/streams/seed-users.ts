import { randomBytes } from 'node:crypto';
import { sessionCookieName, signSessionToken } from '#server/accounts/session-cookie.ts';
import { newId } from '#server/platform/ids.ts';
import type { Rig } from '../rig.ts';

export interface SeededUsers {
  ids: string[];
  /** A session cookie for each. */
  cookies: string[];
}

/**
 * Makes `count` users with their first credits and one signed-in session each, in SQL: hashing a thousand passwords would
 * take longer than the measurement.
 */
export async function seedUsers(rig: Rig, count: number): Promise<SeededUsers> {
  const rows = Array.from({ length: count }, () => ({
    id: newId(),
    session: newId(),
    token: randomBytes(24).toString('base64url'),
  }));
  const ids = rows.map((row) => row.id);
  const column = (key: 'session' | 'token') => rows.map((row) => row[key]);
  const { sql } = rig.postgres;
  await sql`
    insert into users (id, email, display_name)
    select id, id || '@bench.example', 'bench' from unnest(${ids}::uuid[]) as id`;
  await sql`
    insert into sessions (id, user_id, token, expires_at)
    select *, now() + interval '1 day'
      from unnest(${column('session')}::uuid[], ${ids}::uuid[], ${column('token')}::text[])`;
  await sql`vacuum analyze`;
  const name = sessionCookieName(rig.url);
  return { ids, cookies: rows.map(({ token }) => `${name}=${cookieValue(token, rig.authSecret)}`) };
}

function cookieValue(token: string, secret: string): string {
  return encodeURIComponent(signSessionToken(token, secret));
}
