import { createHmac } from 'node:crypto';
import type { WebhookHeaders } from '../provider.ts';
import { isHexDigest, readHeader } from '../read-header.ts';

/**
 * BagelPay's webhook signature: hex HMAC-SHA256 of the `timestamp` header as it was sent, a dot and the raw body. Source:
 * bagelpay.gitbook.io, webhooks. The unit of the time is not documented, so its age is not judged.
 */
export function verifyBagelpaySignature(
  secret: string | null,
  headers: WebhookHeaders,
  raw: Uint8Array,
): boolean {
  const timestamp = readHeader(headers, 'timestamp');
  if (!secret || timestamp === null) return false;
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest();
  return isHexDigest(readHeader(headers, 'bagelpay-signature'), digest);
}
