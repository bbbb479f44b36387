import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { Log } from '../log.ts';
import {
  boundConnections,
  CONNECTION_TIMES,
  type ConnectionTimes,
  connectionOptions,
} from './bound-connections.ts';

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
/** Takes a port (0: any free one), and holds connections to `times`. Throws an error that says what to do when it is taken. */
export async function listenHttp(
  host: string,
  port: number,
  log: Log,
  times: ConnectionTimes = CONNECTION_TIMES,
): Promise<HttpServer> {
  let serve: Fetch = STARTING;
  const server = createServer((request, env) => serve(request, env), times, log);
  const taken = await takePort(server, host, port).catch((error) => {
    throw explain(error, host, port);
  });
  const closed = once(server, 'close');
  const stopAccepting = () => {
    server.close();
    server.closeIdleConnections();
  };
  return {
    port: taken,
    serve: (fetch) => {
      serve = fetch;
    },
    stopAccepting,
    async close(graceMs) {
      stopAccepting();
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

/** Has the server listen, and says on which port. */
async function takePort(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port, backlog: BACKLOG });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

function createServer(fetch: Fetch, times: ConnectionTimes, log: Log): Server {
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, env as HttpBindings),
    serverOptions: connectionOptions(times),
  }) as Server;
  boundConnections(server, times, log);
  return server;
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
