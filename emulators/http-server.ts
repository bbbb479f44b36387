import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A running emulator. `close` drops every connection. */
export interface Emulator {
  url: string;
  /** Further addresses, by name. */
  also?: Record<string, string>;
  close(): Promise<void>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const MAX_BODY = 64 * 1024 * 1024;
const KEEP_ALIVE_MS = 120_000;

/**
 * Listens on the loopback interface; port 0 takes a free one. A handler that throws answers 500 and is printed. Requests of pages that are
 * not of this machine are answered with 403, also of one whose name was made to lead here (DNS rebinding). `hosts` are names of
 * the demonstration site, which only our own proxy leads here; its own pages alone may ask for them, from one name to another.
 */
export async function startHttpServer(
  port: number,
  handler: Handler,
  hosts: readonly string[] = [],
): Promise<Emulator> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    if (isForeign(request, hosts)) return answerJson(response, 403, { error: 'only for this machine' });
    handler(request, response).catch((error: unknown) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else answerJson(response, 500, { error: String(error) });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', 4_096, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isForeign({ headers: { host, origin } }: IncomingMessage, hosts: readonly string[]): boolean {
  const isSite = (url: string) => hosts.includes(URL.parse(url)?.hostname ?? '');
  const asked = `http://${host}`;
  const isOurs = isSite(asked) ? isSite : isLoopback;
  return !isOurs(asked) || (origin !== undefined && !isOurs(origin));
}

/** Whether a URL names this machine; `null`, the origin of pages without one, does not. */
function isLoopback(url: string): boolean {
  return /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');
}

/** Answers with one JSON body. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': String(bytes.length),
    ...headers,
  });
  response.end(bytes);
}

/** The request's JSON object; throws on anything else and above 64 MiB. */
export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  return parseObject(await readText(request));
}

/** The request's body as it came; throws above 64 MiB. */
export async function readText(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw new Error('body too large');
  return text(request);
}

/** The JSON object that a text says, an empty one for ''; throws on anything else. */
export function parseObject(json: string): Record<string, unknown> {
  const body: unknown = JSON.parse(json || '{}');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('body is no object');
  return body as Record<string, unknown>;
}
