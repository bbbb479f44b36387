import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Resolve, resolvePublic } from '#server/platform/fetch/resolve-public.ts';

const CONNECT_TIMEOUT_MS = 8_000;
const IDLE_TIMEOUT_MS = 120_000;
const MAX_ADDRESSES_TRIED = 3;
/** What a name stands for: `public` addresses alone, another one among them, or none that was found. */
export type Found = 'public' | 'private' | 'unknown';

/** Most hosts that one run may look up. */
const MAX_HOSTS = 1_000;
const MAX_CONNECTIONS = 128;
const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface ProxyRules {
  /** Whether the run's rules allow requests to this host; a tunnel to port 80 is a WebSocket. */
  mayReach(host: string, port: number, isTunnel: boolean): boolean;
  testHosts: Readonly<Record<string, string>>;
  /** Bytes of the run in both directions. */
  maxBytes: number;
  resolve?: Resolve;
}

interface Target {
  addresses: string[];
  port: number;
}

/**
 * The only way out of the walls: a forward proxy on a Unix socket, for one run. It connects to ports 80 and 443 of public addresses
 * and to test hosts, looks each name up until it is found and keeps to what it found, and refuses all else without a word.
 */
export async function startEgressProxy(socketPath: string, rules: ProxyRules): Promise<EgressProxy> {
  const proxy = new EgressProxy(rules);
  await proxy.listen(socketPath);
  return proxy;
}

export class EgressProxy {
  readonly #rules: ProxyRules;
  /** What hosts were found to stand for; undefined for one that is to be looked up again. */
  readonly #pinned = new Map<string, Promise<string[] | null> | undefined>();
  readonly #open = new Set<Duplex>();
  readonly #server: Server;
  #bytes = 0;

  constructor(rules: ProxyRules) {
    this.#rules = rules;
    this.#server = createServer({ maxHeaderSize: 65_536 }, (message, response) => {
      this.#forward(message, response).catch(() => response.destroy());
    });
    this.#server.on('connect', (message: IncomingMessage, inner: Duplex, head: Buffer) => {
      this.#tunnel(message, inner, head).catch(() => inner.destroy());
    });
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** Bytes so far, in both directions. */
  get bytes(): number {
    return this.#bytes;
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => resolve());
    });
  }

  /** Looks a host up; the result is remembered unless there is none. */
  async find(host: string): Promise<Found> {
    const addresses = await this.#addressesOf(host);
    if (addresses === null) return 'private';
    return addresses.length > 0 ? 'public' : 'unknown';
  }

  async close(): Promise<void> {
    for (const each of this.#open) each.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #addressesOf(host: string): Promise<string[] | null> {
    if (!this.#pinned.has(host) && this.#pinned.size >= MAX_HOSTS) return null;
    const pinned = this.#pinned.get(host);
    if (pinned) return pinned;
    const found = resolvePublic(host, this.#rules.resolve).catch(() => []);
    this.#pinned.set(host, found);
    const addresses = await found;
    if (addresses?.length === 0) this.#pinned.set(host, undefined);
    return addresses;
  }

  async #targetOf(host: string, port: number, isTunnel: boolean): Promise<Target | null> {
    const { maxBytes, mayReach, testHosts } = this.#rules;
    if (this.#bytes > maxBytes || this.#open.size > MAX_CONNECTIONS) return null;
    if (!mayReach(host, port, isTunnel)) return null;
    const test = Object.hasOwn(testHosts, host) ? testHosts[host] : undefined;
    if (test !== undefined) {
      const url = new URL(`http://${test}`);
      return port === 80 ? { addresses: [url.hostname], port: Number(url.port) } : null;
    }
    if (port !== 80 && port !== 443) return null;
    const addresses = await this.#addressesOf(host);
    return addresses && { addresses, port };
  }

  #count(socket: Duplex) {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }

  #tally(piece: Buffer) {
    this.#bytes += piece.length;
    if (this.#bytes > this.#rules.maxBytes) for (const each of this.#open) each.destroy();
  }

  async #tunnel(message: IncomingMessage, inner: Duplex, head: Buffer) {
    inner.on('error', () => inner.destroy());
    const { host, port } = hostAndPort(message.url ?? '');
    const target = await this.#targetOf(host, port, true);
    const outer = target && (await reach(target));
    if (!outer) return void inner.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    if (inner.destroyed) return void outer.destroy();
    for (const each of [inner, outer]) {
      this.#count(each);
      each.on('data', (piece: Buffer) => this.#tally(piece));
      each.on('error', () => undefined);
      each.once('close', () => (each === inner ? outer : inner).destroy());
    }
    inner.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    outer.write(head);
    inner.pipe(outer);
    outer.pipe(inner);
  }

  async #forward(message: IncomingMessage, response: ServerResponse) {
    const url = URL.parse(message.url ?? '');
    const isPlain = url?.protocol === 'http:';
    const target = isPlain ? await this.#targetOf(url.hostname, Number(url.port || 80), false) : null;
    const outer = target && (await reach(target));
    if (response.closed) return void outer?.destroy();
    if (!url || !outer) return void response.writeHead(403).end();
    this.#count(outer);
    const sent = request({
      method: message.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { ...passOn(message.headers), host: url.host, connection: 'close' },
      createConnection: () => outer,
    });
    const fail = () => {
      outer.destroy();
      if (response.writableEnded) return;
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    };
    sent.on('error', fail);
    response.on('error', () => outer.destroy());
    response.once('close', () => outer.destroy());
    sent.once('response', (answer) => {
      answer.on('error', fail);
      answer.on('data', (piece: Buffer) => this.#tally(piece));
      try {
        response.writeHead(answer.statusCode ?? 502, passOn(answer.headers));
        answer.pipe(response);
      } catch {
        // Node's parser takes a status or a header that it does not write.
        fail();
      }
    });
    message.on('data', (piece: Buffer) => this.#tally(piece));
    message.pipe(sent);
  }
}

/** Host and port of a CONNECT line, in the spelling of URLs, so that one host has one name; an empty host for an invalid line. */
function hostAndPort(authority: string): { host: string; port: number } {
  const port = Number(/:(\d{1,5})$/.exec(authority)?.[1] ?? 0);
  const url = URL.parse(`http://${authority}`);
  return { host: url?.hostname ?? '', port };
}

/** A connection to the first address that answers; null where none does. */
async function reach({ addresses, port }: Target): Promise<Socket | null> {
  for (const host of addresses.slice(0, MAX_ADDRESSES_TRIED)) {
    const socket = connect({ host, port });
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy());
    const connected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('close', () => resolve(false));
      socket.on('error', () => undefined);
    });
    if (!connected) continue;
    socket.setTimeout(IDLE_TIMEOUT_MS);
    return socket;
  }
  return null;
}

function passOn(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const listed = new Set((headers.connection ?? '').split(',').map((each) => each.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_HEADERS.has(name) || listed.has(name) ? [] : [[name, value]],
    ),
  );
}
