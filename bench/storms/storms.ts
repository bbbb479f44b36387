import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#server/platform/ids.ts';

export type StormName = 'heads' | 'bodies' | 'json' | 'idle' | 'followers';

export interface StormTarget {
  storm: StormName;
  url: string;
  /** Sessions of the attackers. */
  cookies: string[];
  /** For each session a message with a long answer. */
  messages: string[];
}

export interface AttackOrder {
  act: 'start' | 'freeze' | 'stop';
  target: StormTarget | null;
}

/** What the attackers saw: connections opened, and closed by the server; answers by status. */
export interface Seen {
  opened: number;
  closed: number;
  statuses: Record<string, number>;
}

export interface Held {
  /** All of it stands. */
  ready: Promise<void>;
  /** Opens and sends nothing more, and closes nothing. */
  freeze(): void;
  stop(): void;
  seen: Seen;
}

interface Plan {
  count: number;
  /** Says what it has to say on a new connection. */
  greet(socket: Socket, index: number): void;
  /** Opens another one for each that the server closes. */
  again: boolean;
  /** Called so often for one connection after the other. */
  every?: { ms: number; act(socket: Socket, index: number): void };
}

/** Connections opened in one go: as many as an attacker can without running into its own limits. */
const AT_ONCE = 100;

function hold(url: string, plan: Plan): Held {
  const { hostname, port } = new URL(url);
  const sockets = new Map<number, Socket>();
  const seen: Seen = { opened: 0, closed: 0, statuses: {} };
  let isFrozen = false;

  function open(index: number) {
    const socket = connect({ host: hostname, port: Number(port) });
    sockets.set(index, socket);
    seen.opened += 1;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1', 0, 20))?.[1];
      if (status) seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
    });
    socket.on('close', () => {
      seen.closed += 1;
      if (plan.again && !isFrozen) setTimeout(open, 50, index);
    });
    socket.once('connect', () => plan.greet(socket, index));
  }

  async function openAll() {
    for (let index = 0; index < plan.count; index += 1) {
      open(index);
      if (index % AT_ONCE === AT_ONCE - 1) await sleep(20);
    }
    await sleep(2_000);
  }

  let turn = 0;
  const timer = setInterval(() => {
    const index = turn++ % plan.count;
    const socket = sockets.get(index);
    if (socket?.writable && !isFrozen) plan.every?.act(socket, index);
  }, plan.every?.ms ?? 60_000);

  return {
    ready: openAll(),
    freeze: () => {
      isFrozen = true;
    },
    stop: () => {
      isFrozen = true;
      clearInterval(timer);
      for (const socket of sockets.values()) socket.destroy();
    },
    seen,
  };
}

const head = (url: string, first: string, ...headers: string[]) =>
  [`${first} HTTP/1.1`, `host: ${new URL(url).host}`, ...headers].join('\r\n');
const POSTED = 'content-type: application/json';

/** 1,000 heads of which the last line never comes, opened anew as often as they are closed. */
const heads = ({ url }: StormTarget) =>
  hold(url, {
    count: 1_000,
    again: true,
    greet: (socket) => socket.write(head(url, 'POST /api/messages', 'x-half: ')),
  });

/** 1,000 bodies of which one byte comes now and then. */
const bodies = ({ url }: StormTarget) =>
  hold(url, {
    count: 1_000,
    again: true,
    greet: (socket) =>
      socket.write(`${head(url, 'POST /api/auth/sign-in/email', POSTED, 'content-length: 4000')}\r\n\r\n{`),
    every: { ms: 2, act: (socket) => socket.write(' ') },
  });

const WIDE = Array.from({ length: 90_000 }, (_, n) => `"k${n}":0`).join(',');

/** 20 bodies of 90,000 keys in a second. */
const json = ({ url, cookies }: StormTarget) =>
  hold(url, {
    count: cookies.length,
    again: true,
    greet: () => {},
    every: {
      ms: 50,
      act: (socket, index) => {
        const body = `{"id":"${newId()}",${WIDE}}`;
        const sent = [
          POSTED,
          `origin: ${url}`,
          `cookie: ${cookies[index]}`,
          `content-length: ${body.length}`,
        ];
        socket.write(`${head(url, 'POST /api/messages', ...sent)}\r\n\r\n${body}`);
      },
    },
  });

/** 10,000 connections that have had an answer and ask for nothing more. */
const idle = ({ url }: StormTarget) =>
  hold(url, {
    count: 10_000,
    again: false,
    greet: (socket) => socket.write(`${head(url, 'GET /healthz')}\r\n\r\n`),
  });

/** 1,000 followers of long answers who never read, and come again when they are dropped. */
const followers = ({ url, cookies, messages }: StormTarget) =>
  hold(url, {
    count: 1_000,
    again: true,
    greet: (socket, index) => {
      const at = index % cookies.length;
      socket.pause();
      socket.write(
        `${head(url, `GET /api/messages/${messages[at]}/events`, `cookie: ${cookies[at]}`)}\r\n\r\n`,
      );
    },
  });

export const STORMS: Record<StormName, (target: StormTarget) => Held> = {
  heads,
  bodies,
  json,
  idle,
  followers,
};
