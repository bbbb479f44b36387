import { mkdtempSync, rmSync } from 'node:fs';
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PostgresProxy {
  /** The same database through the proxy. */
  url: string;
  /** Cuts every connection (by TCP with a reset, as a failing network does); until `up` no new one is taken. */
  down(): void;
  up(): void;
  /** Takes new connections to another PostgreSQL from now on, as an address that follows the primary does. */
  leadTo(url: string): void;
  /** Cuts a connection as soon as PostgreSQL answers a statement that contains `text`: carried out, but the client gets no answer. */
  cutAnswerTo(text: string): Promise<void>;
  /**
   * Keeps a statement that contains `text` from PostgreSQL, or PostgreSQL's answer to it from the client, and whatever follows on that
   * connection. Resolves as soon as it is kept.
   */
  keepBack(what: 'statement' | 'answer', text: string): Promise<void>;
  close(): void;
}

/** Whether PostgreSQL says that a statement was carried out. */
function isDone(bytes: Buffer): boolean {
  return bytes.includes('SELECT 1') || bytes.includes('INSERT 0');
}

/** Where a PostgreSQL listens. */
function placeOf(url: string): NetConnectOpts {
  const { hostname: host, port, searchParams } = new URL(url);
  const folder = searchParams.get('host');
  const at = Number(port || 5432);
  return folder ? { path: join(folder, `.s.PGSQL.${at}`) } : { host, port: at };
}

/** Answers the address of the same database by way of `server`, by TCP or by a Unix socket in `folder`. */
async function listen(server: Server, target: URL, folder: string | null): Promise<string> {
  const proxied = new URL(target);
  await new Promise<void>((resolve) => {
    if (folder) server.listen(join(folder, `.s.PGSQL.${target.port || '5432'}`), resolve);
    else server.listen(0, '127.0.0.1', resolve);
  });
  if (folder) {
    proxied.searchParams.set('host', folder);
    return proxied.href;
  }
  proxied.searchParams.delete('host');
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxied.href;
}

/** What is to be broken next: the answer to a text, or what is kept back from then on. */
interface Orders {
  cut: { text: string; done: () => void } | null;
  kept: { what: 'statement' | 'answer'; text: string; done: () => void } | null;
}

/** Passes bytes on in both directions, as ordered; `end` cuts the connection. */
function relay([client, upstream]: [Socket, Socket], orders: Orders, end: () => void): void {
  let [isMarked, isAwaited, isKept] = [false, false, false];
  const keep = () => {
    isKept = true;
    orders.kept?.done();
    orders.kept = null;
  };
  client.on('data', (bytes) => {
    if (orders.cut && bytes.includes(orders.cut.text)) isMarked = true;
    if (orders.kept && bytes.includes(orders.kept.text)) {
      isAwaited = orders.kept.what === 'answer';
      if (!isAwaited) keep();
    }
    if (!isKept) upstream.write(bytes);
  });
  upstream.on('data', (bytes) => {
    if (isMarked && orders.cut && isDone(bytes)) return end();
    if (isAwaited && orders.kept && isDone(bytes)) keep();
    if (!isKept) client.write(bytes);
    return undefined;
  });
}

/**
 * Stands between a server and PostgreSQL (by TCP or by a Unix socket, as `url` says) and breaks the connection on command.
 * It is itself reached by a Unix socket, or by TCP.
 */
export async function startPostgresProxy(url: string, { tcp } = { tcp: false }): Promise<PostgresProxy> {
  const target = new URL(url);
  let upstreamAt = placeOf(url);
  const own = mkdtempSync(join(tmpdir(), 'parley-proxy-'));
  const pairs = new Set<[Socket, Socket]>();
  let isUp = true;
  const orders: Orders = { cut: null, kept: null };

  const server = createServer((client) => {
    if (!isUp) return client.destroy();
    const upstream = connect(upstreamAt);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    relay(pair, orders, () => end(pair));
    for (const socket of pair) socket.on('error', () => {}).on('close', () => drop(pair));
    return undefined;
  });

  function drop(pair: [Socket, Socket]) {
    pairs.delete(pair);
    const [client, upstream] = pair;
    if (tcp) client.resetAndDestroy();
    else client.destroy();
    upstream.destroy();
  }

  function end(pair: [Socket, Socket]) {
    orders.cut?.done();
    orders.cut = null;
    drop(pair);
  }

  return {
    url: await listen(server, target, tcp ? null : own),
    down() {
      isUp = false;
      for (const pair of pairs) drop(pair);
    },
    up() {
      isUp = true;
    },
    leadTo(other) {
      upstreamAt = placeOf(other);
    },
    cutAnswerTo: (text) =>
      new Promise((done) => {
        orders.cut = { text, done };
      }),
    keepBack: (what, text) =>
      new Promise((done) => {
        orders.kept = { what, text, done };
      }),
    close() {
      server.close();
      for (const pair of pairs) drop(pair);
      rmSync(own, { recursive: true, force: true });
    },
  };
}
