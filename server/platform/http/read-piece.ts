import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { AppError } from '#server/errors.ts';
import { readBody, refuseAnnounced } from './read-body.ts';

/**
 * The bytes of a request's body as far as they came: where the connection is cut, those before the cut. Throws `payload_too_large`
 * when there are more than `limit`.
 */
export function readPiece(c: Context, limit: number): Promise<Buffer> {
  const announced = c.req.header('content-length');
  refuseAnnounced(announced, limit);
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  if (!incoming) return readBody(c, limit);
  return new Promise((resolve, reject) => {
    const piece = Buffer.allocUnsafeSlow(Number(announced ?? limit));
    let size = 0;
    const finish = () => resolve(piece.subarray(0, size));
    incoming.on('data', (bytes: Buffer) => {
      if (size + bytes.length > piece.length) {
        incoming.removeAllListeners('data').resume();
        return reject(new AppError('payload_too_large', { limit }));
      }
      piece.set(bytes, size);
      size += bytes.length;
    });
    incoming.once('end', finish);
    incoming.once('error', finish);
    incoming.once('close', finish);
  });
}
