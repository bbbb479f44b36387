import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startS3 } from './s3.ts';

/**
 * What a store does wrong: it fails, has lost an object, breaks off in the middle of an object, is silent, or does as it was told and
 * does not say so.
 */
type Fault = 'fails' | 'missing' | 'cut' | 'silent' | 'unsaid';

/** An S3 server behind what does to its answers as a test says; faults are of objects, not of lists of them. */
export async function startFaultyS3() {
  const s3 = await startS3();
  const { port, hostname } = new URL(s3.access.endpoint);
  let wrong: { fault: Fault; method: 'GET' | 'PUT'; after: number } | null = null;

  function pass(from: IncomingMessage, to: ServerResponse, fault: Fault | null) {
    const { method, url: path, headers } = from;
    const asked = request({ host: hostname, port, method, path, headers }, (answer) => {
      const { statusCode = 500 } = answer;
      if (fault === 'unsaid') return answer.resume().on('end', () => to.destroy());
      if (fault === 'cut') {
        to.writeHead(statusCode, answer.headers);
        return answer.once('data', (piece: Buffer) => to.write(piece.subarray(0, 1), () => to.destroy()));
      }
      return answer.pipe(to.writeHead(statusCode, answer.headers));
    });
    from.pipe(asked);
  }

  const proxy = createServer((from, to) => {
    const isObject = (from.url ?? '').split('?')[0]?.split('/').length === 4;
    const isMeant = isObject && wrong !== null && from.method === wrong.method && wrong.after-- <= 0;
    const fault = isMeant && wrong ? wrong.fault : null;
    if (fault === null || fault === 'cut' || fault === 'unsaid') return pass(from, to, fault);
    if (fault === 'silent') return;
    const [status, code] = fault === 'fails' ? [503, 'SlowDown'] : [404, 'NoSuchKey'];
    from.resume().on('end', () => to.writeHead(status).end(`<Error><Code>${code}</Code></Error>`));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    access: { ...s3.access, endpoint },
    settings: { ...s3.settings, FILES_S3_ENDPOINT: endpoint },
    /** From now on, or `after` so many good answers, of reading or of putting; null: nothing. */
    do(fault: Fault | null, { method = 'GET', after = 0 }: { method?: 'GET' | 'PUT'; after?: number } = {}) {
      wrong = fault && { fault, method, after };
    },
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await s3.close();
    },
  };
}
