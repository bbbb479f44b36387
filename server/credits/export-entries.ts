import type { Language } from '#contract/choices.ts';
import type { LedgerEntry } from '#contract/credits.ts';
import type { Deps } from '#server/deps.ts';
import { listEntries } from './list-entries.ts';
import { presentCsvEntry, presentCsvHeader } from './present-csv.ts';
import { addMessages, type StatementReads } from './read-statement.ts';

const PAGE = 500;

type EntryDeps = Pick<Deps, 'database' | 'clock'>;

/**
 * The user's whole ledger as CSV, newest line first, in pieces of some hundred lines: memory stays flat however long the
 * ledger is, and the next piece is read only when the one before was taken.
 */
export async function* exportEntries(
  deps: EntryDeps,
  reads: StatementReads,
  userId: string,
  language: Language,
): AsyncGenerator<string> {
  let lines = [presentCsvHeader(language)];
  for await (const page of pagesOf(deps, userId)) {
    const entries = await addMessages(reads, userId, page);
    lines.push(...entries.map((entry) => presentCsvEntry(entry, language)));
    yield lines.join('');
    lines = [];
  }
}

/** Every line of the user's ledger, the newest first. */
export async function* listAllEntries(deps: EntryDeps, userId: string): AsyncGenerator<LedgerEntry> {
  for await (const page of pagesOf(deps, userId)) yield* page;
}

async function* pagesOf(deps: EntryDeps, userId: string): AsyncGenerator<LedgerEntry[]> {
  let cursor: string | null = null;
  do {
    const page = await listEntries(deps, userId, { cursor, limit: PAGE });
    yield page.entries;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
