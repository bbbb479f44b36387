import type { EntryKind, LedgerPage } from '#contract/credits.ts';
import type { Deps } from '#server/deps.ts';
import { listEntries } from './list-entries.ts';
import { selectLots, selectNextFree } from './store.ts';

/** What the statement shows and the ledger does not know. */
export interface StatementReads {
  /** The titles of the conversations that messages of a user are in, by message; of what is deleted there is none. */
  readTitles(userId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * A page of the ledger as `listEntries` gives it, with titles, and on the newest page of all lines what the
 * balance consists of and when free credits are given next.
 */
export async function readStatement(
  deps: Pick<Deps, 'database' | 'clock'>,
  { readTitles }: StatementReads,
  userId: string,
  page: { cursor: string | null; limit: number; kind: EntryKind | null },
): Promise<LedgerPage> {
  const found = await listEntries(deps, userId, page);
  const ids = found.entries.flatMap(({ messageId }) => messageId ?? []);
  const titles = await readTitles(userId, [...new Set(ids)]);
  const entries = found.entries.map((entry) => {
    const conversationTitle = titles.get(entry.messageId ?? '');
    return conversationTitle === undefined ? entry : { ...entry, conversationTitle };
  });
  if (page.cursor !== null || page.kind !== null) return { ...found, entries };
  const lots = await selectLots(deps.database.sql, userId);
  const nextFreeAt = await selectNextFree(deps.database.sql, userId, deps.clock.databaseTime());
  return {
    ...found,
    entries,
    lots: lots.map(({ credits, expiresAt }) => ({ credits, expiresAt: expiresAt.getTime() })),
    ...(nextFreeAt ? { nextFreeAt: nextFreeAt.getTime() } : {}),
  };
}
