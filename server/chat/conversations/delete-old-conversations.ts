import type { Deps } from '#server/deps.ts';
import { deleteConversationFiles } from '#server/files/removal/delete-file.ts';
import { deleteMarked, deleteTemporary } from '../tree/conversation-store.ts';
import { publishDeleted } from '../tree/publish-news.ts';
import { UNDO_MS } from '../tree/rules.ts';

const TEMPORARY_MS = 24 * 3_600_000;
/** Conversations in one transaction; each may have thousands of messages. */
const AT_ONCE = 5;

/**
 * Removes for good what was deleted and can no longer be restored, and temporary conversations a day after their newest
 * message. Ledger lines stay. Safe on several processes at once.
 */
export async function deleteOldConversations({
  database,
  clock,
  bus,
}: Pick<Deps, 'database' | 'clock' | 'bus'>): Promise<void> {
  const at = clock.databaseTime();
  const marked = () => deleteMarked(database.sql, { undoMs: UNDO_MS, limit: AT_ONCE, at });
  const temporary = () => deleteTemporary(database.sql, { ageMs: TEMPORARY_MS, limit: AT_ONCE, at });
  await deleteConversationFiles({ database, clock }, UNDO_MS);
  while ((await marked()).length === AT_ONCE);
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    const gone = await temporary();
    for (const { id, userId } of gone)
      publishDeleted(bus, userId, { id, restorableUntil: clock.now().getTime() });
    count = gone.length;
  }
}
