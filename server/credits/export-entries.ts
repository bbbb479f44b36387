import type { Language } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { listEntries } from './list-entries.ts';
import { presentCsvEntry, presentCsvHeader } from './present-csv.ts';
import { addMessages, type StatementReads } from './read-statement.ts';

const PAGE = 500;

/**
 * The user's whole ledger as CSV, newest line first, in pieces of some hundred lines: memory stays flat however long the
 * ledger is, and the next piece is read only when the one before was taken.
 */
export async function* exportEntries(
  deps: Pick<Deps, 'database' | 'clock'>,
  reads: StatementReads,
  userId: string,
  language: Language,
): AsyncGenerator<string> {
  let cursor: string | null = null;
  let lines = [presentCsvHeader(language)];
  do {
    const page = await listEntries(deps, userId, { cursor, limit: PAGE });
    const entries = await addMessages(reads, userId, page.entries);
    lines.push(...entries.map((entry) => presentCsvEntry(entry, language)));
    yield lines.join('');
    lines = [];
    cursor = page.nextCursor;
  } while (cursor !== null);
}
