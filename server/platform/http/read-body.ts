import { once } from 'node:events';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { AppError } from '#server/errors.ts';

/** What is still taken of a body that was refused: more than a proxy may pass on, and less time than a body has that is wanted. */
const REFUSED_BODY = { bytes: 32 * 1024 * 1024, ms: 15_000 };

/**
 * The bytes of a request's body. Throws `payload_too_large` as soon as more than `limit` bytes are announced or read, so
 * that memory stays flat whatever is sent.
 */
export function readBody(c: Context, limit: number): Promise<Buffer> {
  refuseAnnounced(c.req.header('content-length'), limit);
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  return incoming ? readIncoming(incoming, limit) : readStream(c.req.raw.body, limit);
}

/** Throws `payload_too_large` when a `Content-Length` is above `limit` bytes. */
export function refuseAnnounced(contentLength: string | undefined, limit: number) {
  if (Number(contentLength ?? 0) > limit) throw new AppError('payload_too_large', { limit });
}

/**
 * Reads a body that was refused to its end and keeps nothing of it, so that the answer reaches a proxy that is still sending: cut off, it
 * would answer 502. False when the connection has to be closed: the body announces no length or more than `bytes`, or takes longer than `ms`.
 */
export async function drainBody(c: Context, { bytes, ms } = REFUSED_BODY): Promise<boolean> {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  if (!incoming) return true;
  const announced = Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY);
  if (!incoming.complete && !(announced <= bytes)) return false;
  incoming.resume();
  if (!incoming.complete) await once(incoming, 'end', { signal: AbortSignal.timeout(ms) }).catch(() => {});
  return incoming.complete;
}

/** Straight from the socket: a web stream around it costs more than the whole route. */
async function readIncoming(incoming: HttpBindings['incoming'], limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const isWhole = await takeIncoming(incoming, limit, (chunk) => chunks.push(chunk));
  if (!isWhole) throw new AppError('invalid_json');
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/**
 * Calls `take` with the bytes of a body as they come. Resolves with true at its end, and with false where its connection closes before, or
 * has closed before this is called. Throws `payload_too_large` when there are more than `limit`.
 */
export function takeIncoming(
  incoming: HttpBindings['incoming'],
  limit: number,
  take: (chunk: Buffer) => void,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // Nothing is reported a second time of a connection that has closed.
    if (incoming.closed) return resolve(false);
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return take(chunk);
      incoming.removeAllListeners('data').resume();
      return reject(new AppError('payload_too_large', { limit }));
    });
    incoming.once('end', () => resolve(true));
    incoming.once('error', () => resolve(false));
    incoming.once('close', () => resolve(false));
  });
}

async function readStream(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) throw new AppError('payload_too_large', { limit });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
