import type { OnReadOpts, Socket } from 'node:net';

/** From so many answers at once connections pause: a read for each piece is a third of what an answer costs (decision 142). */
const THRESHOLD = 100;
/** How long a connection pauses, in milliseconds. A reader does not notice it, and with 500 answers text waits longer to be merged. */
const PAUSE_MS = 42;
const TICK_MS = 5;
/** Of each connection. What is longer is read in several pieces of one turn. */
const BUFFER_BYTES = 16 * 1024;

/** Pauses connections after they have read, while many answers run: what comes meanwhile is read at once. */
export interface ReadThrottle {
  /**
   * Opens a connection that reads into a buffer of ours: Node stops reading such a one as soon as it is paused, any other when its
   * own buffer is full (nodejs.org/api/net.html, `onread`).
   */
  open<T extends Socket>(connect: (options: { onread: OnReadOpts }) => T): T;
  /** Pauses the connection, where many answers run, after what it reads in this turn. It goes on by itself. */
  pause(socket: Socket): void;
  /** Lets the connection go on now. */
  resume(socket: Socket): void;
  close(): void;
}

/** One timer for all connections. `countRunning` says how many answers run. */
export function createReadThrottle(countRunning: () => number): ReadThrottle {
  /** Those that have read in this turn. */
  const read = new Set<Socket>();
  /** Until when each pauses, the earliest first. */
  const paused = new Map<Socket, number>();
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Runs at the end of a turn: before it, Node's HTTP client resumes a connection after each piece of a body. */
  function pauseRead() {
    immediate = undefined;
    const until = performance.now() + PAUSE_MS;
    for (const socket of read) {
      socket.pause();
      paused.set(socket, until);
    }
    read.clear();
    schedule();
  }

  function resume(socket: Socket) {
    read.delete(socket);
    if (paused.delete(socket)) socket.resume();
  }

  function tick() {
    timer = undefined;
    const now = performance.now();
    for (const [socket, until] of paused) {
      if (until > now) break;
      resume(socket);
    }
    schedule();
  }

  function schedule() {
    if (paused.size > 0) timer ??= setTimeout(tick, TICK_MS);
  }

  return {
    open(connect) {
      const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
      const callback = (bytes: number) => {
        socket.push(Buffer.from(buffer.subarray(0, bytes)));
        return true;
      };
      const socket = connect({ onread: { buffer, callback } });
      return socket;
    },
    pause(socket) {
      if (countRunning() < THRESHOLD || paused.has(socket)) return;
      read.add(socket);
      immediate ??= setImmediate(pauseRead);
    },
    resume,
    close() {
      clearImmediate(immediate);
      clearTimeout(timer);
    },
  };
}
