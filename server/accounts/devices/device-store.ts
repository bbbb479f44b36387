import type { Executor } from '#server/platform/database/database.ts';

/** Devices that are remembered of one user; the one not seen for longest is forgotten. */
const MAX_KEPT = 50;

/** Notes from where a user signs in. True: the user was elsewhere before, and never there. */
export async function saveDevice(
  sql: Executor,
  userId: string,
  { browser, network, at }: { browser: string; network: string; at: Date },
): Promise<boolean> {
  const [row] = await sql<{ unseen: boolean }[]>`
    with earlier as (select exists (select from known_devices where user_id = ${userId}) as any),
    put as (
      insert into known_devices as d (user_id, browser, network, seen_at)
      values (${userId}, ${browser}, ${network}, ${at})
      on conflict (user_id, browser, network) do update set seen_at = greatest(d.seen_at, excluded.seen_at)
      returning xmax = 0 as is_new)
    select put.is_new and earlier.any as unseen from put, earlier`;
  if (row?.unseen) await deleteOldest(sql, userId);
  return row?.unseen ?? false;
}

export interface DeviceRow {
  browser: string;
  network: string;
  /** The last sign-in from there. */
  seenAt: Date;
}

/** From where a user signed in, as far as it is remembered, the newest place first. */
export async function selectDevices(sql: Executor, userId: string): Promise<DeviceRow[]> {
  return sql<DeviceRow[]>`
    select browser, network, seen_at as "seenAt" from known_devices
     where user_id = ${userId} order by seen_at desc, browser, network`;
}

async function deleteOldest(sql: Executor, userId: string): Promise<void> {
  await sql`
    delete from known_devices where (user_id, browser, network) in (
      select user_id, browser, network from known_devices where user_id = ${userId}
       order by seen_at desc offset ${MAX_KEPT})`;
}
