import type { Socket } from 'node:net';

/**
 * From so many answers at once connections rest: a read for each piece is a good part of what an answer costs then (decision 26).
 * With fewer, resting would only make the end of an answer later.
 */
export const CROWD = 50;
/**
 * How long a connection rests, in milliseconds: a little longer than text waits to be merged into one event (`MERGE_MS`), so that
 * what is read is told at once and nothing waits twice.
 */
const REST_MS = 42;
const TICK_MS = 5;

/** Leaves connections unread for a while, so that what comes meanwhile is read at once. */
export interface Pacer {
  /** Stops reading for about 45 ms, in a crowd; reads again by itself. */
  rest(socket: Socket): void;
  /** Reads again now. */
  wake(socket: Socket): void;
  close(): void;
}

/** What Node does not document, and what nothing documented does: a paused socket reads on until its buffer is full. */
interface Handle {
  readStop(): void;
  readStart(): void;
}

/** The handle of a socket that reads; null for another, or where Node has changed: such a socket never rests. */
function handleOf(socket: Socket): Handle | null {
  const handle =
    '_handle' in socket ? (socket._handle as (Partial<Handle> & { reading?: boolean }) | null) : null;
  const isKnown = typeof handle?.readStop === 'function' && typeof handle.readStart === 'function';
  return isKnown && handle.reading === true && !socket.destroyed ? (handle as Handle) : null;
}

/** One timer for all connections that rest. */
export function createPacer(isCrowded: () => boolean): Pacer {
  /** Until when, the earliest first. */
  const resting = new Map<Socket, number>();
  let timer: NodeJS.Timeout | undefined;

  function wake(socket: Socket) {
    if (resting.delete(socket)) handleOf(socket)?.readStart();
  }

  function tick() {
    timer = undefined;
    const now = performance.now();
    for (const [socket, until] of resting) {
      if (until > now) break;
      wake(socket);
    }
    schedule();
  }

  function schedule() {
    if (resting.size > 0) timer ??= setTimeout(tick, TICK_MS);
  }

  return {
    rest(socket) {
      const handle = isCrowded() && !resting.has(socket) ? handleOf(socket) : null;
      if (!handle) return;
      handle.readStop();
      resting.set(socket, performance.now() + REST_MS);
      schedule();
    },
    wake,
    close() {
      clearTimeout(timer);
      resting.clear();
    },
  };
}
