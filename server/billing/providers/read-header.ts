import { timingSafeEqual } from 'node:crypto';
import type { WebhookHeaders } from './provider.ts';

const HEX_SHA256 = /^[0-9a-f]{64}$/i;

/** A header that was sent exactly once; null for none or several. */
export function readHeader(headers: WebhookHeaders, name: string): string | null {
  const value = headers[name];
  if (typeof value === 'string') return value;
  return value?.length === 1 ? (value[0] ?? null) : null;
}

/** True when `given`, in hex, is the digest `expected`. Takes the same time for every digest of 64 hex digits; anything else is false. */
export function isHexDigest(given: string | null, expected: Buffer): boolean {
  if (given === null || !HEX_SHA256.test(given)) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), expected);
}
