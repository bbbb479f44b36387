import type { Deps } from '#server/deps.ts';
import { deleteUnkept } from './store.ts';

/** As long as the event log keeps an answer that has ended. */
const KEPT_MINUTES = 75;
const AT_ONCE = 1_000;

/** Deletes answers of API requests that no caller can ask for again: all but those under an idempotency key. */
export async function deleteOldAnswers({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const at = clock.databaseTime();
  while ((await deleteUnkept(database.sql, KEPT_MINUTES, AT_ONCE, at)) === AT_ONCE);
}
