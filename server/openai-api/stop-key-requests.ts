import { KEYS_TOPIC } from '#server/accounts/sessions/publish-access-end.ts';
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

/** Stops the requests of keys that end together with other ways in, as by a reset. */
export function stopRevokedKeys(deps: Pick<Deps, 'database' | 'bus' | 'generation' | 'log'>): void {
  deps.bus.subscribe(KEYS_TOPIC, ({ userId, keys }) => {
    for (const key of Array.isArray(keys) ? keys : [])
      stopKeyRequests(deps, String(userId), key).catch((err) =>
        deps.log.warn({ err }, 'the requests of a revoked key could not be stopped'),
      );
  });
}
