import { STOPS_TOPIC } from '#server/chat/generation/generation.ts';
import type { Deps } from '#server/deps.ts';
import { updateStopRequested } from './store.ts';

/** Stops the running requests of a key at once, whichever processes run them. */
export async function stopKeyRequests(
  deps: Pick<Deps, 'database' | 'bus' | 'generation'>,
  userId: string,
  keyId: string,
): Promise<void> {
  const ids = await updateStopRequested(deps.database.sql, userId, keyId);
  for (const id of ids) deps.generation.find(id)?.stop('stopped');
  if (ids.length > 0) deps.bus.publish(STOPS_TOPIC, { ids });
}
