import { createHash } from 'node:crypto';
import type { ErrorCode } from '#contract/errors.ts';
import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { backoffMs } from '#server/platform/jobs/worker.ts';
import { FileFault, type ReadingResult } from '../reading/reading-rules.ts';
import { deleteSection, insertChunks } from '../state/chunk-store.ts';
import { sumBytes } from '../state/file-store.ts';
import { keepStored } from '../state/keep-stored.ts';
import { readContent } from '../state/read-content.ts';
import { readQuota } from '../state/require-quota.ts';
import { leaseReadings, markFailed, markReady, postponeReading, type ReadingTask } from './reading-store.ts';

/** How long the bytes may take to come, but for the last piece of them. */
const FETCH_MS = MINUTE_MS;
/** Longer than to fetch the bytes, to read them (`READING_LIMITS.timeMs`) and to write what was found. */
const LEASE_MS = 360_000;
/** A file whose reading fails, or ends the process, is not read more often. */
const MAX_TRIES = 3;
/** A storage may be away for six minutes, by the pauses below. */
const MAX_STORAGE_TRIES = 10;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = MINUTE_MS;

/** The topic on which it is published that a file waits to be read. */
export const WAITING_TOPIC = 'files waiting';

/**
 * Reads a file, a picture with or without the place where it was taken. Throws a `FileFault` for what is wrong with the file; any other
 * error is a failure of ours.
 */
export type ReadFile = (bytes: Buffer, options: { keepsPlace: boolean }) => Promise<ReadingResult>;

export type ReadingDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'storages'>;

/** Takes files that are due to be read. */
export function leaseReading(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  limit: number,
): Promise<ReadingTask[]> {
  return leaseReadings(database.sql, clock.now(), LEASE_MS, limit);
}

/**
 * Reads an uploaded file and keeps what was found, or says what is wrong with it. Where our side fails it is tried three times, a crash of the
 * process included; where its storage fails, before the reading or after it, for six minutes. One count is of
 * both: a reading that fails after three failures of the storage is not tried again.
 */
export async function runReading(deps: ReadingDeps, task: ReadingTask, readFile: ReadFile): Promise<void> {
  const { clock, database, log } = deps;
  const fail = async (code: ErrorCode, error: string) => {
    await markFailed(database.sql, task, { code, error });
  };
  const { tries, keepsPlace } = task;
  if (tries > MAX_TRIES && task.lastError === null) return fail('internal', 'reading it ended the process');
  let isBeingRead = false;
  try {
    const bytes = await fetchContent(deps, task);
    isBeingRead = true;
    const result = await readFile(bytes, { keepsPlace });
    isBeingRead = false;
    await keepReading(deps, task, bytes, result);
  } catch (error) {
    if (error instanceof FileFault) return fail(error.code, error.message);
    log.warn({ err: error, fileId: task.id, tries }, 'a file could not be read');
    if (tries >= (isBeingRead ? MAX_TRIES : MAX_STORAGE_TRIES)) return fail('internal', String(error));
    const pause = backoffMs(tries, FIRST_RETRY_MS, MAX_RETRY_MS);
    const until = new Date(clock.now().getTime() + pause);
    await postponeReading(database.sql, task, { until, error: String(error) });
  }
}

/** A store outside may be slow with each piece, and a slot waits for it. */
async function fetchContent(deps: ReadingDeps, task: ReadingTask): Promise<Buffer> {
  const giveUpAt = deps.clock.now().getTime() + FETCH_MS;
  const pieces: Buffer[] = [];
  for await (const piece of readContent(deps, task, 'content', { to: task.bytes })) {
    if (deps.clock.now().getTime() > giveUpAt) throw new Error('its storage is too slow');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Writes what was found, unless the file is gone or another process has taken it over. */
async function keepReading(
  deps: ReadingDeps,
  task: ReadingTask,
  uploaded: Buffer,
  result: ReadingResult,
): Promise<void> {
  const { storages } = deps;
  const { content, thumbnail, text, ...found } = result;
  const stored = content ?? uploaded;
  const reading = {
    ...found,
    hasThumbnail: thumbnail !== null,
    sha256: createHash('sha256').update(stored).digest(),
    bytes: stored.length,
  };
  const textBytes = Buffer.from(text);
  await requireRoom(deps, task, Math.max(textBytes.length, stored.length));
  const own = storages.of('database');
  const sections = {
    thumbnail: await own.put(task.id, thumbnail ?? Buffer.alloc(0)),
    text: await own.put(task.id, textBytes),
  };
  const replaced = content && (await storages.of(task.storage).put(task.id, content));
  await keepStored(deps, task.storage, replaced ?? [], async (tx) => {
    if (!(await markReady(tx, task, reading))) return null;
    if (replaced) {
      await deleteSection(tx, task.id, 'content');
      await insertChunks(tx, task.id, 'content', 0, replaced);
    }
    for (const section of ['thumbnail', 'text'] as const)
      await insertChunks(tx, task.id, section, 0, sections[section]);
    return true;
  });
}

/**
 * Throws a `FileFault` where what is stored of a file, `bytes` in length, is more than was uploaded and has no room in the user's storage.
 * Of files that are read at the same moment each sees the others as they were.
 */
async function requireRoom(deps: ReadingDeps, task: ReadingTask, bytes: number): Promise<void> {
  const more = bytes - task.bytes;
  if (more <= 0) return;
  const used = await sumBytes(deps.database.sql, task.userId);
  if (used + more > (await readQuota(deps, task.userId)))
    throw new FileFault('file_too_complex', 'what was read in it is more than the storage has room for');
}
