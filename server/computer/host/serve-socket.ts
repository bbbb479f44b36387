import { createServer, type Server, type Socket } from 'node:net';
import { type BrowserHost, HostConnection } from './host-server.ts';
import { readLines } from './line-reader.ts';
import { KEEP_ALIVE_MS } from './protocol.ts';

const GREETING_TIMEOUT_MS = 10_000;
/** Most bytes of a peer that has not shown the token. */
const GREETING_BYTES = 4_096;
const MAX_CONNECTIONS = 64;

/** Serves peers that have the token at `host:port` or a path. A peer that does not greet in time (ms) is disconnected. */
export function serveSocket(
  host: BrowserHost,
  listen: string,
  token: string,
  greetingMs = GREETING_TIMEOUT_MS,
): Server {
  const server = createServer((socket) => serve(socket, new HostConnection(host, socket, token), greetingMs));
  server.maxConnections = MAX_CONNECTIONS;
  const [, name, port] = /^(.+):(\d+)$/.exec(listen) ?? [];
  if (port === undefined) server.listen(listen);
  else server.listen(Number(port), name);
  return server;
}

function serve(socket: Socket, connection: HostConnection, greetingMs: number) {
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  const read = readLines((line) => connection.take(line));
  // Not the socket's own time-out: each byte would begin that anew.
  const timer = setTimeout(() => socket.destroy(), greetingMs);
  socket.on('data', (piece) => {
    if (!connection.isGreeted && socket.bytesRead > GREETING_BYTES) return void socket.destroy();
    try {
      read(piece);
    } catch {
      socket.destroy();
    }
    if (connection.isGreeted) clearTimeout(timer);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearTimeout(timer);
    void connection.end();
  });
}
