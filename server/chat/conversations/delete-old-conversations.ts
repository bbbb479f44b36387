import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { deleteConversationFiles } from '#server/files/removal/delete-file.ts';
import {
  deleteConversationRows,
  deleteNewestMessages,
  lockMarked,
  markTemporary,
  selectFirstConversations,
} from '../message-store/conversation-store.ts';
import { publishDeleted } from '../message-store/publish-news.ts';
import { UNDO_MS } from '../message-store/rules.ts';

const TEMPORARY_MS = DAY_MS;
const TEMPORARY_AT_ONCE = 100;
const MAX_REST_MS = 1_000;

/** How much is deleted in one transaction. */
export interface DeletionStep {
  conversations: number;
  messages: number;
}

/** A conversation may have tens of thousands of messages. */
const STEP: DeletionStep = { conversations: 5, messages: 500 };

/**
 * Removes for good what was deleted and can no longer be restored, and temporary conversations a day after their newest
 * message, in small steps. Ledger lines stay. Safe on several processes at once.
 */
export async function deleteOldConversations(
  { database, clock, bus }: Pick<Deps, 'database' | 'clock' | 'bus'>,
  step: DeletionStep = STEP,
): Promise<void> {
  const at = clock.databaseTime();
  for (let count = TEMPORARY_AT_ONCE; count === TEMPORARY_AT_ONCE; ) {
    const terms = { ageMs: TEMPORARY_MS, limit: TEMPORARY_AT_ONCE, at };
    const gone = await markTemporary(database.sql, terms);
    for (const { id, userId } of gone)
      publishDeleted(bus, userId, { id, restorableUntil: clock.now().getTime() });
    count = gone.length;
  }
  await deleteConversationFiles({ database, clock }, UNDO_MS);
  for (;;) {
    const before = performance.now();
    if (!(await deleteMarked({ database }, step, at))) return;
    await sleep(Math.min(performance.now() - before, MAX_REST_MS));
  }
}

/** Deletes some messages of conversations that were marked, and those conversations that have none left. False: nothing is left to delete. */
function deleteMarked(
  { database }: Pick<Deps, 'database'>,
  { conversations, messages }: DeletionStep,
  at: Date | null,
): Promise<boolean> {
  return database.sql.begin(async (tx) => {
    const due = await lockMarked(tx, { undoMs: UNDO_MS, limit: conversations, at });
    if (due.length === 0) return false;
    if ((await deleteNewestMessages(tx, due, messages)) === 0) await deleteConversationRows(tx, due);
    return true;
  });
}

/** Deletes some messages of the first conversations of a user. Returns how many there were. */
export async function deleteUserMessages(
  { database: { sql } }: Pick<Deps, 'database'>,
  userId: string,
  { conversations, messages }: DeletionStep,
): Promise<number> {
  return deleteNewestMessages(sql, await selectFirstConversations(sql, userId, conversations), messages);
}
