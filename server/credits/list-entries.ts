import type { EntryKind, LedgerEntry, LedgerPage } from '#contract/credits.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { presentEntry } from './present.ts';
import { readBalance } from './read-balance.ts';
import { selectFreeRefusal, selectLines } from './store.ts';

/**
 * A page of the user's ledger, newest line first.
 * @param page `cursor` is the `nextCursor` of the page before, null for the newest lines; `limit` at least 1;
 *   `kind`: only lines of this kind
 */
export async function listEntries(
  deps: Pick<BaseDeps, 'database' | 'clock'>,
  userId: string,
  page: { cursor: string | null; limit: number; kind?: EntryKind | null },
): Promise<LedgerPage> {
  const balance = await readBalance(deps, userId);
  const { cursor: before, kind = null } = page;
  const lines = await selectLines(deps.database.sql, userId, { before, kind, limit: page.limit + 1 });
  const shown = lines.slice(0, page.limit);
  const isFirst = before === null && kind === null;
  const freeWithheld = isFirst
    ? await selectFreeRefusal(deps.database.sql, userId, deps.clock.databaseTime())
    : null;
  return {
    balance: (isFirst ? shown[0]?.balanceAfter : undefined) ?? balance,
    entries: shown.map(presentEntry),
    nextCursor: lines.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
    ...(freeWithheld ? { freeWithheld } : {}),
  };
}

/** The newest lines of a user's ledger as they are booked: nothing that is due is booked first, as it is for its owner. */
export async function listLines(
  { database }: Pick<BaseDeps, 'database'>,
  userId: string,
  limit: number,
): Promise<LedgerEntry[]> {
  return (await selectLines(database.sql, userId, { before: null, kind: null, limit })).map(presentEntry);
}
