import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../log.ts';

/** How long a connection may take, in milliseconds. Answers themselves may take as long as they need. */
export interface ConnectionTimes {
  /** From the connection, or the first byte of a request, to the end of its headers. */
  headersMs: number;
  /** From the first byte of a request to its last. */
  requestMs: number;
  /** Between two requests of one connection. */
  idleMs: number;
  /** Time for the other side to take some of the bytes that wait for it. */
  stalledMs: number;
  /** How often headers and requests are looked at. */
  checkMs: number;
}

/** A connection that never sends a whole request is gone within 30 seconds. Proxies keep idle connections for up to a minute. */
export const CONNECTION_TIMES: ConnectionTimes = {
  headersMs: 10_000,
  requestMs: 25_000,
  idleMs: 65_000,
  stalledMs: 60_000,
  checkMs: 2_000,
};

/** The options of `http.createServer` that hold its connections to `times`. */
export function connectionOptions(times: ConnectionTimes) {
  return {
    headersTimeout: times.headersMs,
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: times.checkMs,
    keepAliveTimeout: times.idleMs,
    maxHeaderSize: 16_384,
  };
}

const STATUS_LINES: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/**
 * Destroys every connection of a server that sends no proper request, is too slow, or takes nothing of its answer. The peer receives the
 * reason, except one that never sent a byte (browsers open such connections in advance, and show what they receive as a page), and one
 * on which an answer has begun.
 */
export function boundConnections(server: Server, times: ConnectionTimes, log: Log): void {
  const answers = new WeakMap<Socket, Set<ServerResponse>>();
  server.maxHeadersCount = 100;
  server.on('request', ({ socket }, response) => {
    const running = answers.get(socket) ?? new Set();
    answers.set(socket, running.add(response));
    response.once('close', () => running.delete(response));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    log.debug({ code: error.code }, 'a connection sent no proper request');
    const hasBegun = [...(answers.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (socket.writable && socket.bytesRead > 0 && !hasBegun) {
      const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
      socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    }
    socket.destroy();
  });
  server.setTimeout(times.stalledMs, (socket) => {
    const isAnswered = (answers.get(socket)?.size ?? 0) > 0;
    if (!isAnswered || socket.writableLength > 0) socket.destroy();
  });
}
