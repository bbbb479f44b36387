import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { AppError } from '#server/errors.ts';
import { ByteBudget } from '#server/platform/byte-budget.ts';
import { bodyLimitOf } from '#server/platform/http/body-limit.ts';
import { parseJson } from '#server/platform/http/parse-body.ts';
import { readBody, refuseAnnounced } from '#server/platform/http/read-body.ts';
import { receiveBody } from './receive-body.ts';

/** A body up to this long costs no more than one of text did before. */
const SMALL = 1_048_576;
/** Bytes of longer bodies that a process holds at once, from when they are whole to the end of their answers. */
const MAX_MEMORY = 134_217_728;
const WAIT_MS = 5_000;
/** Requests of one user, and bytes: what is left is the largest request of another, with all that it may fetch. */
const PER_USER = 4;
const BYTES_PER_USER = MAX_MEMORY - 50_331_648;

const memory = new ByteBudget(MAX_MEMORY);
const byUser = new Map<string, { requests: number; bytes: number }>();

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

interface LimitedBody {
  /** The JSON of it. */
  body: unknown;
  /** Gives its memory back. */
  leave(): void;
}

/**
 * The body of a user's request that may bring pictures or files. A long one comes into a file of `folder`, and takes memory once it is
 * whole. Throws as `receiveBody`, `holdMemory` and `parseJson`.
 */
export async function limitBody(c: Context, userId: string, folder: string): Promise<LimitedBody> {
  const limit = bodyLimitOf(c);
  const announced = c.req.header('content-length');
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  const most = announced === undefined ? limit.bytes : Number(announced);
  if (most <= SMALL || !incoming)
    return { body: parseJson(await readBody(c, limit.bytes), limit), leave() {} };
  refuseAnnounced(announced, limit.bytes);
  let leave = countRequest(userId, most);
  try {
    const received = await receiveBody(incoming, folder, limit.bytes);
    try {
      leave = await takeMemory(received.size, leave);
      return { body: parseJson(await received.read(), limit), leave };
    } finally {
      await received.close();
    }
  } catch (error) {
    leave();
    throw error;
  }
}

/**
 * Waits for room for so many bytes of a user's request. Returns the function that frees it. Throws `unavailable` where there is none in
 * time, and `too_many_running` for a user who has several on the way.
 */
export async function holdMemory(userId: string, bytes: number): Promise<() => void> {
  return takeMemory(bytes, countRequest(userId, bytes));
}

/** Counts a request of a user, which may have so many bytes. Returns the function that ends it. */
function countRequest(userId: string, bytes: number): () => void {
  const held = byUser.get(userId) ?? { requests: 0, bytes: 0 };
  if (held.requests >= PER_USER || held.bytes + bytes > BYTES_PER_USER)
    throw new AppError('too_many_running', { seconds: 2 });
  byUser.set(userId, held);
  held.requests += 1;
  held.bytes += bytes;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    held.requests -= 1;
    held.bytes -= bytes;
    if (held.requests === 0) byUser.delete(userId);
  };
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
