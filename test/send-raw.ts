import { Agent, request } from 'node:http';

/** A request as it goes over the wire: nothing of it is checked or mended on the way. */
export interface RawRequest {
  method: string;
  /** Path and query, already escaped or not. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
}

export interface RawAnswer {
  status: number;
  contentType: string;
  /** Null for a stream of events, which is left as soon as it begins. */
  text: string | null;
}

/** Only a request that is never answered takes as long, on any machine. */
const ANSWER_TIMEOUT_MS = 300_000;

/** Sends requests to one server over kept connections. Rejects when the server answers nothing. */
export function rawSender(origin: string) {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });

  function send({ method, path, headers, body }: RawRequest): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const call = request({ agent, hostname, port, method, path, headers, timeout: ANSWER_TIMEOUT_MS });
      call.on('response', (response) => {
        const contentType = response.headers['content-type'] ?? '';
        const answer = { status: response.statusCode ?? 0, contentType };
        if (contentType.startsWith('text/event-stream')) {
          resolve({ ...answer, text: null });
          return response.destroy();
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ ...answer, text: Buffer.concat(chunks).toString() }));
        response.on('error', reject);
      });
      call.on('timeout', () => call.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`)));
      call.on('error', reject);
      call.end(body ?? undefined);
    });
  }

  return { send, close: () => agent.destroy() };
}
