import type { ErrorCode } from '#contract/errors.ts';
import { cleanText } from '#server/platform/clean-text.ts';
import type { Executor, Fragment } from '#server/platform/database/database.ts';
import { type FileRow, fileColumns } from '../state/file-store.ts';

/** A file that is being read. */
export type ReadingTask = FileRow & {
  /** Counts this one. */
  tries: number;
  /** Why the try before failed on our side; null: there was none, or it ended with its process and left no word. */
  lastError: string | null;
};

/** Files that are due to be read, in a fair order between their users, which is the column `turn`. */
export function dueReadings(sql: Executor, at: Date): Fragment {
  return sql`from files where state = 'reading' and next_try_at <= ${at} order by turn, next_try_at`;
}

/** Takes at most `limit` files to be read; they are due again after `leaseMs`, as after a crash. */
export function leaseReadings(
  sql: Executor,
  at: Date,
  leaseMs: number,
  limit: number,
): Promise<ReadingTask[]> {
  const until = new Date(at.getTime() + leaseMs);
  return sql<ReadingTask[]>`
    update files f set next_try_at = ${until}, tries = f.tries + 1, error = null
      from (select id, error ${dueReadings(sql, at)} limit ${limit} for update skip locked) due
     where f.id = due.id
    returning ${fileColumns(sql)}, f.tries, due.error as "lastError"`;
}

/** What was found in a file. */
export interface FoundInFile {
  type: string;
  pages: number | null;
  tokens: number;
  width: number | null;
  height: number | null;
  hasText: boolean;
  hasThumbnail: boolean;
  /** The hash of the stored bytes. */
  sha256: Buffer;
  bytes: number;
}

/** The file was read. Returns false where it is gone, or another process has taken it over. */
export async function markReady(
  tx: Executor,
  { id, tries }: ReadingTask,
  reading: FoundInFile,
): Promise<boolean> {
  const { type, pages, tokens, width, height, hasText, hasThumbnail, sha256, bytes } = reading;
  const { count } = await tx`
    update files f set state = 'ready', next_try_at = null, error = null, type = ${type}, pages = ${pages}, tokens = ${tokens},
           width = ${width}, height = ${height}, has_text = ${hasText}, has_thumbnail = ${hasThumbnail}, sha256 = ${sha256},
           bytes = ${bytes}, received = ${bytes}
     where f.id = ${id} and f.state = 'reading' and f.tries = ${tries}`;
  return count > 0;
}

/** The file cannot be read, and why. Nothing changes where it is gone, or another process has taken it over. */
export async function markFailed(
  sql: Executor,
  { id, tries }: ReadingTask,
  { code, error }: { code: ErrorCode; error: string },
): Promise<void> {
  await sql`
    update files f set state = 'failed', next_try_at = null, error_code = ${code}, error = ${cleanError(error)}
     where f.id = ${id} and f.state = 'reading' and f.tries = ${tries}`;
}

/** Our side failed: says why, and when it is tried again. */
export async function postponeReading(
  sql: Executor,
  { id, tries }: ReadingTask,
  { until, error }: { until: Date; error: string },
): Promise<void> {
  await sql`
    update files set next_try_at = ${until}, error = ${cleanError(error)}
     where id = ${id} and state = 'reading' and tries = ${tries}`;
}

/** A reader names what it found in a file, such as an entry with a NUL, which PostgreSQL does not take. */
function cleanError(error: string): string {
  return cleanText(error.slice(0, 500));
}
