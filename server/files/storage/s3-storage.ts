import { AwsClient } from 'aws4fetch';
import { newId } from '#server/platform/ids.ts';
import type { FileStorage, StoredObject } from './file-storage.ts';

/** A bucket, and our key to it. */
export interface S3Access {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/** `page`: names in one answer, and S3 gives no more. `timeoutMs`: for one call, and a piece is 1 MB at most. */
const LIMITS = { page: 1_000, timeoutMs: 30_000 };

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Keeps contents in a bucket of S3 or of a store that speaks its wire, addressed by path, each piece an object under the id of its
 * file (https://docs.aws.amazon.com/AmazonS3/latest/API/). Throws an error with the status where the store refuses.
 */
export function createS3Storage(access: S3Access, limits: Partial<typeof LIMITS> = {}): FileStorage {
  const { page, timeoutMs } = { ...LIMITS, ...limits };
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
    async put(fileId, bytes) {
      const object = `${fileId}/${newId()}`;
      const init = {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'content-type': 'application/octet-stream' },
      };
      await (await call(`${root}/${object}`, init, [200])).arrayBuffer();
      return [{ offset: 0, length: bytes.length, bytes: null, object }];
    },
    async read({ object }, from, to) {
      const headers = { range: `bytes=${from}-${to - 1}` };
      const bytes = await (await call(`${root}/${object}`, { headers }, [206, 200])).arrayBuffer();
      if (bytes.byteLength !== to - from) throw new Error('S3 returned another number of bytes');
      return Buffer.from(bytes);
    },
    async delete(prefix) {
      for await (const { name } of list(prefix))
        await (await call(`${root}/${name}`, { method: 'DELETE' }, [204, 200, 404])).arrayBuffer();
    },
    list,
  };
}

/** The text of the first element of that name, with the entities of XML undone. */
function elementOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}
