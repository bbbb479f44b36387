import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { readBody, refuseAnnounced, takeIncoming } from './read-body.ts';

/**
 * The bytes of a request's body as far as they came: where the connection is cut, those before the cut. Throws `payload_too_large`
 * when there are more than `limit`.
 */
export async function readPiece(c: Context, limit: number): Promise<Buffer> {
  const announced = c.req.header('content-length');
  refuseAnnounced(announced, limit);
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  if (!incoming) return readBody(c, limit);
  const piece = Buffer.allocUnsafeSlow(Number(announced ?? limit));
  let size = 0;
  await takeIncoming(incoming, piece.length, (bytes) => {
    piece.set(bytes, size);
    size += bytes.length;
  });
  return piece.subarray(0, size);
}
