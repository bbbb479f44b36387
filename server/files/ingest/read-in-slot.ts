import { availableParallelism } from 'node:os';
import { AppError } from '#server/errors.ts';
import type { FairSlots } from '#server/platform/fair-slots.ts';
import { readFile } from '../reading/read-file.ts';
import type { ReadingLimits, ReadingResult } from '../reading/reading-rules.ts';

/**
 * Files that a server reads at once, each in a process of its own: so many uploads, as many made pictures and as many kept files, and
 * `API_READERS` of `/v1`, which makes 3 × `READERS_AT_ONCE` + `API_READERS` at most.
 */
export const READERS_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));
export const API_READERS = 2;

export interface FileToRead {
  userId: string;
  bytes: Buffer;
  limits: ReadingLimits;
}

/** Reads a file as `readFile` does, once its user has one of the slots. Rejects with the reason of `signal` where that ends the wait. */
export async function readInSlot(
  slots: FairSlots,
  { userId, bytes, limits }: FileToRead,
  signal: AbortSignal,
): Promise<ReadingResult> {
  const release = await slots.take(userId, signal);
  try {
    return await readFile(bytes, limits);
  } finally {
    release();
  }
}

/** The same after a wait of at most `waitMs`. Throws `unavailable` where no slot came free. */
export async function readInSlotWithin(
  slots: FairSlots,
  file: FileToRead,
  waitMs: number,
): Promise<ReadingResult> {
  const signal = AbortSignal.timeout(waitMs);
  return readInSlot(slots, file, signal).catch((error) => {
    throw error === signal.reason ? new AppError('unavailable') : error;
  });
}
