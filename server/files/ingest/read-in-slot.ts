import { availableParallelism } from 'node:os';
import type { BaseDeps } from '#server/base-deps.ts';
import { AppError } from '#server/errors.ts';
import type { FairSlots } from '#server/platform/fair-slots.ts';
import type { ReadingLimits, ReadingResult } from '../reading/reading-rules.ts';
import { readMeasured } from './read-measured.ts';

/**
 * Files that a server reads at once, each in a process of its own: so many uploads, as many made pictures, kept files, and pictures that
 * are converted for a model, and `API_READERS` of `/v1`, which makes 4 × `READERS_AT_ONCE` + `API_READERS` at most.
 */
export const READERS_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));
export const API_READERS = Math.max(3, availableParallelism());

export interface FileToRead {
  userId: string;
  bytes: Buffer;
  limits: ReadingLimits;
}

/** Reads a file as `readMeasured` does, once its user has one of the slots. Rejects with the reason of `signal` where that ends the wait. */
export async function readInSlot(
  deps: Pick<BaseDeps, 'metrics'>,
  slots: FairSlots,
  { userId, bytes, limits }: FileToRead,
  signal: AbortSignal,
): Promise<ReadingResult> {
  const release = await slots.take(userId, signal);
  try {
    return await readMeasured(deps, bytes, { limits });
  } finally {
    release();
  }
}

/** The same after a wait of at most `waitMs` milliseconds, which `stop` ends too. Throws `unavailable` where no slot came free. */
export async function readInSlotWithin(
  deps: Pick<BaseDeps, 'metrics'>,
  slots: FairSlots,
  file: FileToRead,
  { waitMs, stop }: { waitMs: number; stop?: AbortSignal | undefined },
): Promise<ReadingResult> {
  const timeout = AbortSignal.timeout(waitMs);
  const signal = stop ? AbortSignal.any([timeout, stop]) : timeout;
  return readInSlot(deps, slots, file, signal).catch((error) => {
    throw error === signal.reason ? new AppError('unavailable') : error;
  });
}
