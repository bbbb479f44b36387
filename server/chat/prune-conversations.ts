import type { Deps } from '#server/deps.ts';
import { deleteDoomed } from './conversation-store.ts';
import { publishDeleted } from './publish-news.ts';
import { UNDO_MS } from './rules.ts';

const TEMPORARY_MS = 24 * 3_600_000;
/** Conversations in one transaction; each may have thousands of messages. */
const AT_ONCE = 5;

/**
 * Removes for good what was deleted and can no longer be restored, and temporary conversations a day after their newest
 * message. Ledger lines stay. Safe on several processes at once.
 */
export async function pruneConversations({
  database,
  clock,
  bus,
}: Pick<Deps, 'database' | 'clock' | 'bus'>): Promise<void> {
  const ages = { undoMs: UNDO_MS, temporaryMs: TEMPORARY_MS, limit: AT_ONCE };
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    const gone = await deleteDoomed(database.sql, { ...ages, at: clock.databaseTime() });
    const restorableUntil = clock.now().getTime();
    for (const { id, userId, wasMarked } of gone)
      if (!wasMarked) publishDeleted(bus, userId, { id, restorableUntil });
    count = gone.length;
  }
}
