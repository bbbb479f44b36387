import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { Log } from './log.ts';

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

export interface HttpServer {
  /** The port it listens on. */
  port: number;
  /** Serves from now on; before, every request is answered with 503. */
  serve(fetch: Fetch): void;
  /** Accepts no connection any more, and closes those on which nothing is being answered. */
  stopAccepting(): void;
  /** Waits until the last answer is sent, `graceMs` at most, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

const STARTING = () =>
  new Response('{"status":"starting"}', {
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': '1' },
  });

/** Connections the system may hold for us while we are busy. */
const BACKLOG = 4_096;

/**
 * Takes a port (0: any free one). Throws an error that says what to do when it is taken. A caller has 10 seconds to send
 * its headers and 30 to send a request; answers may take as long as they need.
 */
export async function listenHttp(host: string, port: number, log: Log): Promise<HttpServer> {
  let serve: Fetch = STARTING;
  const server = createAdaptorServer({
    fetch: (request, env) => serve(request, env as HttpBindings),
    serverOptions: {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
  }) as Server;
  server.maxHeadersCount = 100;
  const closed = once(server, 'close');
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    log.debug({ code: error.code }, 'a connection sent no proper request');
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
  server.listen(port, host, BACKLOG);
  await once(server, 'listening').catch((error) => {
    throw explain(error, host, port);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return {
    port: address.port,
    serve: (fetch) => {
      serve = fetch;
    },
    stopAccepting: () => {
      server.close();
      server.closeIdleConnections();
    },
    close: (graceMs) => closeWithin(server, closed, graceMs),
  };
}

async function closeWithin(server: Server, closed: Promise<unknown>, graceMs: number) {
  server.close();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const where = `${host}:${port}`;
  const reasons: Record<string, string> = {
    EADDRINUSE: `${where} 已被占用，请用 PORT 换一个端口。${where} is taken; choose another port with PORT.`,
    EACCES: `没有权限监听 ${where}，请用 PORT 换一个大于 1023 的端口。No permission to listen on ${where}; choose a port above 1023 with PORT.`,
    EADDRNOTAVAIL: `本机没有地址 ${host}，请检查 HOST。This machine has no address ${host}; check HOST.`,
    ENOTFOUND: `找不到主机 ${host}，请检查 HOST。The host ${host} is not known; check HOST.`,
  };
  return new Error(reasons[error.code ?? ''] ?? error.message, { cause: error });
}
