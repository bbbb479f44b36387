import type { Deps } from '#server/deps.ts';
import { selectDevices } from './device-store.ts';

/** From where a user signed in, the newest place first. `seenAt`: the last time, in epoch milliseconds. */
export async function listDevices(
  { database }: Pick<Deps, 'database'>,
  userId: string,
): Promise<{ browser: string; network: string; seenAt: number }[]> {
  const rows = await selectDevices(database.sql, userId);
  return rows.map(({ browser, network, seenAt }) => ({ browser, network, seenAt: seenAt.getTime() }));
}
