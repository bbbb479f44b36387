import type { EntryKind, LedgerEntry, LedgerPage } from '#contract/credits.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { presentEntry } from './present.ts';
import { readBalance } from './read-balance.ts';
import { selectFreeRefusal, selectLines } from './store.ts';

/** Where a page of the ledger begins and what it holds: `cursor` is the `nextCursor` of the page before, null for the newest lines. */
export interface EntriesPage {
  cursor: string | null;
  /** At least 1. */
  limit: number;
  /** Only lines of this kind. */
  kind?: EntryKind | null;
}

/** A page of the user's ledger, newest line first; what is due is booked first. */
export async function listEntries(
  deps: Pick<BaseDeps, 'database' | 'clock'>,
  userId: string,
  page: EntriesPage,
): Promise<LedgerPage> {
  const balance = await readBalance(deps, userId);
  return listBooked(deps.database.sql, deps, userId, { ...page, balance });
}

/** A page as it is booked. `balance` is what counts where the newest line of all is not in it. */
export async function listBooked(
  sql: Executor,
  { clock }: Pick<BaseDeps, 'clock'>,
  userId: string,
  { cursor: before, limit, kind = null, balance }: EntriesPage & { balance: number },
): Promise<LedgerPage> {
  const lines = await selectLines(sql, userId, { before, kind, limit: limit + 1 });
  const shown = lines.slice(0, limit);
  const isFirst = before === null && kind === null;
  const freeWithheld = isFirst ? await selectFreeRefusal(sql, userId, clock.databaseTime()) : null;
  return {
    balance: (isFirst ? shown[0]?.balanceAfter : undefined) ?? balance,
    entries: shown.map(presentEntry),
    nextCursor: lines.length > limit ? (shown.at(-1)?.id ?? null) : null,
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
