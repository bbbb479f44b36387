import { createHash } from 'node:crypto';

/** What is stored of an API key. A plain SHA-256 is enough for 256 random bits: there is nothing to guess. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
