import type { Context } from 'hono';
import { AppError } from '#server/errors.ts';
import { ByteBudget } from '#server/platform/byte-budget.ts';
import { bodyLimitOf } from '#server/platform/http/body-limit.ts';

/** A body up to this long costs no more than one of text did before. */
const SMALL = 1_048_576;
/** Bytes of longer bodies that a process holds at once, from the first byte to the end of their answers. */
const MAX_MEMORY = 134_217_728;
const WAIT_MS = 5_000;
/** Requests of one user, and bytes: what is left is the largest request of another, with all that it may fetch. */
const PER_USER = 4;
const BYTES_PER_USER = MAX_MEMORY - 50_331_648;

/** Of those, bytes of bodies that are on their way: they are held before they come, however slowly that is. */
const MAX_ARRIVING = MAX_MEMORY / 4;

const memory = new ByteBudget(MAX_MEMORY);
const byUser = new Map<string, { requests: number; bytes: number; arriving: ByteBudget }>();

/** Requests of each user whose files are read, or wait to be. */
const reading = new Map<string, number>();

/** Counts one more of them. Returns the function that ends it. Throws `too_many_running` where there are `most`. */
export function limitReading(userId: string, most: number): () => void {
  const before = reading.get(userId) ?? 0;
  if (before >= most) throw new AppError('too_many_running', { seconds: 2 });
  reading.set(userId, before + 1);
  return () => {
    const left = (reading.get(userId) ?? 1) - 1;
    if (left > 0) reading.set(userId, left);
    else reading.delete(userId);
  };
}

interface HeldBody {
  /** To be called once it was read: then the next body of its user may come. */
  arrived(): void;
  /** Gives its memory back. */
  leave(): void;
}

/** As `holdMemory`, for the body of a request that brings pictures or files. Waits also for bodies of the same user that are on their way. */
export async function limitBody(c: Context, userId: string): Promise<HeldBody> {
  const announced = c.req.header('content-length');
  const bytes = announced === undefined ? bodyLimitOf(c).bytes : Number(announced);
  if (bytes <= SMALL) return { arrived() {}, leave() {} };
  const { arriving, leave } = countRequest(userId, bytes);
  const arrived = await arriving.take(bytes, AbortSignal.timeout(WAIT_MS)).catch(() => {
    leave();
    throw new AppError('too_many_running', { seconds: 2 });
  });
  const leaveBoth = () => {
    arrived();
    leave();
  };
  return { arrived, leave: await takeMemory(bytes, leaveBoth) };
}

/**
 * Waits for room for so many bytes of a user's request. Returns the function that frees it. Throws `unavailable` where there is none in
 * time, and `too_many_running` for a user who has several on the way.
 */
export async function holdMemory(userId: string, bytes: number): Promise<() => void> {
  const { leave } = countRequest(userId, bytes);
  return takeMemory(bytes, leave);
}

function countRequest(userId: string, bytes: number): { arriving: ByteBudget; leave(): void } {
  const held = byUser.get(userId) ?? { requests: 0, bytes: 0, arriving: new ByteBudget(MAX_ARRIVING) };
  if (held.requests >= PER_USER || held.bytes + bytes > BYTES_PER_USER)
    throw new AppError('too_many_running', { seconds: 2 });
  byUser.set(userId, held);
  held.requests += 1;
  held.bytes += bytes;
  let isHeld = true;
  const leave = () => {
    if (!isHeld) return;
    isHeld = false;
    held.requests -= 1;
    held.bytes -= bytes;
    if (held.requests === 0) byUser.delete(userId);
  };
  return { arriving: held.arriving, leave };
}

/** Waits for room in the memory of all. Returns the function that frees it and calls `leave`, which is called also where there is none. */
async function takeMemory(bytes: number, leave: () => void): Promise<() => void> {
  try {
    const release = await memory.take(bytes, AbortSignal.timeout(WAIT_MS));
    return () => {
      leave();
      release();
    };
  } catch {
    leave();
    throw new AppError('unavailable');
  }
}
