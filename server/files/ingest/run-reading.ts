import { createHash } from 'node:crypto';
import type { ErrorCode } from '#contract/errors.ts';
import type { Deps } from '#server/deps.ts';
import { backoffMs } from '#server/platform/jobs/worker.ts';
import { FileFault, type ReadingResult } from '../reading/reading-rules.ts';
import { deletePart, insertPieces } from '../state/chunk-store.ts';
import type { FileRow } from '../state/file-store.ts';
import { publishFile } from '../state/publish-file.ts';
import { readWhole } from '../state/read-content.ts';
import type { StoredPiece } from '../storage/file-storage.ts';
import { leaseReadings, markFailed, markReady, postponeReading, type ReadingTask } from './reading-store.ts';

/** Longer than to fetch the bytes, to read them and to write what was found. */
const LEASE_MS = 120_000;
const MAX_TRIES = 3;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;

/** Reads a file. Throws a `FileFault` for what is wrong with the file; any other error is a failure of ours. */
export type ReadFile = (input: { bytes: Buffer; name: string }) => Promise<ReadingResult>;

export type ReadingDeps = Pick<Deps, 'database' | 'clock' | 'log' | 'bus' | 'storages'>;

/** Takes files that are due to be read. */
export function leaseReading(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  limit: number,
): Promise<ReadingTask[]> {
  return leaseReadings(database.sql, clock.now(), LEASE_MS, limit);
}

/**
 * Reads an uploaded file and keeps what was found, or says what is wrong with it; the user's tabs are told. Where our side fails it
 * is tried three times, a crash of the process included.
 */
export async function runReading(deps: ReadingDeps, task: ReadingTask, readFile: ReadFile): Promise<void> {
  const { bus, clock, database, log } = deps;
  const fail = async (code: ErrorCode, error: string) => {
    const failed = await markFailed(database.sql, task, { code, error });
    if (failed) publishFile(bus, failed);
  };
  if (task.tries > MAX_TRIES) return fail('internal', 'reading it ended the process');
  try {
    const bytes = await readWhole(deps, task, 'content');
    const ready = await keepReading(deps, task, bytes, await readFile({ bytes, name: task.name }));
    if (ready) publishFile(bus, ready);
  } catch (error) {
    if (error instanceof FileFault) return fail(error.code, error.message);
    log.warn({ err: error, fileId: task.id, tries: task.tries }, 'a file could not be read');
    if (task.tries >= MAX_TRIES) return fail('internal', String(error));
    const pause = backoffMs(task.tries, FIRST_RETRY_MS, MAX_RETRY_MS);
    const until = new Date(clock.now().getTime() + pause);
    await postponeReading(database.sql, task, { until, error: String(error) });
  }
}

/** Null: the file is gone, or another process has taken it over. */
async function keepReading(
  deps: ReadingDeps,
  task: ReadingTask,
  uploaded: Buffer,
  result: ReadingResult,
): Promise<FileRow | null> {
  const { storages, database } = deps;
  const { content, thumbnail, text, ...found } = result;
  const stored = content ?? uploaded;
  const reading = {
    ...found,
    hasThumbnail: thumbnail !== null,
    sha256: createHash('sha256').update(stored).digest(),
    bytes: stored.length,
  };
  const own = storages.of('database');
  const parts = {
    thumbnail: await own.put(task.id, thumbnail ?? Buffer.alloc(0)),
    text: await own.put(task.id, Buffer.from(text)),
  };
  const replaced = content && (await storages.of(task.storage).put(task.id, content));
  const keep = () =>
    database.sql.begin(async (tx) => {
      const ready = await markReady(tx, task, reading);
      if (!ready) return null;
      if (replaced) {
        await deletePart(tx, task.id, 'content');
        await insertPieces(tx, task.id, 'content', 0, replaced);
      }
      for (const part of ['thumbnail', 'text'] as const)
        await insertPieces(tx, task.id, part, 0, parts[part]);
      return ready;
    });
  const ready = await keep();
  if (!ready) await discard(deps, task, replaced ?? []);
  return ready;
}

/** What fails here is found by the sweep. */
async function discard({ storages, log }: ReadingDeps, task: ReadingTask, pieces: readonly StoredPiece[]) {
  for (const { object } of pieces)
    if (object !== null)
      await storages
        .of(task.storage)
        .delete(object)
        .catch((err) => log.warn({ err, object }, 'an object of a file that is gone stays until the sweep'));
}
