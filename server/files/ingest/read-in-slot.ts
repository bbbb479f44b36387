import { availableParallelism } from 'node:os';
import type { BaseDeps } from '#server/base-deps.ts';
import { AppError } from '#server/errors.ts';
import type { FairSlots } from '#server/platform/fair-slots.ts';
import { anySignal } from '#server/platform/fetch/any-signal.ts';
import { machineMemory } from '#server/platform/postgres/postgres-memory.ts';
import type { ReadingLimits, ReadingResult } from '../reading/reading-rules.ts';
import { limitReaders } from './limit-readers.ts';
import { readMeasured } from './read-measured.ts';

const readers = limitReaders(availableParallelism(), machineMemory());
/**
 * Files that a server reads at once, each in a process of its own: so many uploads, as many made pictures, kept files, pictures that are
 * converted for a model, and pictures of users, and `API_READERS` of `/v1`, which makes 5 × `READERS_AT_ONCE` + `API_READERS` at most.
 */
export const READERS_AT_ONCE = readers.ofEachKind;
export const API_READERS = readers.ofApi;

export interface FileToRead {
  userId: string;
  bytes: Buffer;
  limits: ReadingLimits;
  /** Ends the wait and the reading: the file is not wanted any more. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads a file as `readMeasured` does, once its user has one of the slots. Rejects with the reason of `wait` where that ends the wait, and
 * with that of the file's signal.
 */
export async function readInSlot(
  deps: Pick<BaseDeps, 'metrics'>,
  slots: FairSlots,
  { userId, bytes, limits, signal }: FileToRead,
  wait: AbortSignal,
): Promise<ReadingResult> {
  const release = await slots.take(userId, anySignal(wait, signal));
  try {
    return await readMeasured(deps, bytes, { limits, signal });
  } finally {
    release();
  }
}

/** The same after a wait of at most `waitMs` milliseconds. Throws `unavailable` where no slot came free. */
export async function readInSlotWithin(
  deps: Pick<BaseDeps, 'metrics'>,
  slots: FairSlots,
  file: FileToRead,
  waitMs: number,
): Promise<ReadingResult> {
  const wait = AbortSignal.timeout(waitMs);
  return readInSlot(deps, slots, file, wait).catch((error) => {
    throw error === wait.reason ? new AppError('unavailable') : error;
  });
}
