import { AwsClient } from 'aws4fetch';
import { MAX_PIECE } from '#contract/limits.ts';
import { newId } from '#server/platform/ids.ts';
import type { FileStorage, StoredChunk, StoredObject } from './file-storage.ts';

/** A bucket, and our key to it. */
export interface S3Access {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/**
 * `page`: names in one answer, and S3 gives no more. `timeoutMs`: for one call, and a piece is 1 MB at most. `wholeMs`: for all pieces
 * that are put together, but for the last.
 */
const LIMITS = { page: 1_000, timeoutMs: 30_000, wholeMs: 60_000 };

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Keeps contents in a bucket of S3 or of a store that speaks its wire, addressed by path, each MB an object under the id of its
 * file (https://docs.aws.amazon.com/AmazonS3/latest/API/). Throws an error with the status where the store refuses.
 */
export function createS3Storage(access: S3Access, limits: Partial<typeof LIMITS> = {}): FileStorage {
  const { page, timeoutMs, wholeMs } = { ...LIMITS, ...limits };
  const { endpoint, bucket, region, accessKey, secretKey } = access;
  // Its own retries sleep without a bound; the callers' jobs and clients try again.
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    region,
    service: 's3',
    retries: 0,
  });
  const root = `${endpoint}/${bucket}`;

  async function call(url: string, init: RequestInit, expected: readonly number[]): Promise<Response> {
    const response = await client.fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    if (expected.includes(response.status)) return response;
    const text = (await response.text()).slice(0, 300);
    throw new Error(`S3 answered ${response.status} to ${init.method ?? 'GET'}: ${text}`);
  }

  async function putObject(name: string, piece: Buffer): Promise<void> {
    const headers = { 'content-type': 'application/octet-stream' };
    const init = { method: 'PUT', body: new Uint8Array(piece), headers };
    await (await call(`${root}/${name}`, init, [200])).arrayBuffer();
  }

  async function deleteObject(name: string): Promise<void> {
    await (await call(`${root}/${name}`, { method: 'DELETE' }, [204, 200, 404])).arrayBuffer();
  }

  /** Pages by the last name, the older of the two ways, which every store speaks. */
  async function* list(prefix: string, after = ''): AsyncGenerator<StoredObject> {
    for (let marker = after, isMore = true; isMore; ) {
      const query = new URLSearchParams({ prefix, marker, 'max-keys': String(page) });
      const text = await (await call(`${root}?${query}`, {}, [200])).text();
      for (const [, entry = ''] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
        marker = elementOf(entry, 'Key');
        yield { name: marker, putAt: new Date(elementOf(entry, 'LastModified')) };
      }
      isMore = elementOf(text, 'IsTruncated') === 'true';
    }
  }

  return {
    kind: 's3',
    put: (fileId, bytes) => putInPieces(bytes, { fileId, wholeMs, putObject, deleteObject }),
    async read({ object }, from, to) {
      const headers = { range: `bytes=${from}-${to - 1}` };
      const bytes = await (await call(`${root}/${object}`, { headers }, [206, 200])).arrayBuffer();
      if (bytes.byteLength !== to - from) throw new Error('S3 returned another number of bytes');
      return Buffer.from(bytes);
    },
    async delete(prefix) {
      for await (const { name } of list(prefix)) await deleteObject(name);
    },
    list,
  };
}

interface PutOptions {
  fileId: string;
  wholeMs: number;
  putObject: (name: string, piece: Buffer) => Promise<void>;
  deleteObject: (name: string) => Promise<void>;
}

/** Puts bytes as objects of 1 MB at most, in their order. Where one fails, those before it are deleted, or found by the sweep. */
async function putInPieces(
  bytes: Buffer,
  { fileId, wholeMs, putObject, deleteObject }: PutOptions,
): Promise<StoredChunk[]> {
  const chunks: (StoredChunk & { object: string })[] = [];
  const whole = AbortSignal.timeout(wholeMs);
  try {
    for (let offset = 0; offset < bytes.length; offset += MAX_PIECE) {
      whole.throwIfAborted();
      const piece = bytes.subarray(offset, offset + MAX_PIECE);
      const object = `${fileId}/${newId()}`;
      await putObject(object, piece);
      chunks.push({ offset, length: piece.length, bytes: null, object });
    }
    return chunks;
  } catch (error) {
    await Promise.allSettled(chunks.map(({ object }) => deleteObject(object)));
    throw error;
  }
}

/** The text of the first element of that name, with the entities of XML undone. */
function elementOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}
