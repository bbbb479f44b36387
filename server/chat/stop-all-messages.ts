import type { Deps } from '#server/deps.ts';
import { STOPS_TOPIC } from './generation/generation.ts';
import { updateAllStopsRequested } from './store.ts';

/** Stops all that is being answered for a user, by the web or the API, whichever processes run it. Returns how many there were. */
export async function stopAllMessages(
  { database, bus, generation }: Pick<Deps, 'database' | 'bus' | 'generation'>,
  userId: string,
): Promise<number> {
  const ids = await updateAllStopsRequested(database.sql, userId);
  for (const id of ids) generation.find(id)?.stop('stopped');
  if (ids.length > 0) bus.publish(STOPS_TOPIC, { ids });
  return ids.length;
}
