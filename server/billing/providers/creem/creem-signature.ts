import { createHmac } from 'node:crypto';
import type { WebhookHeaders } from '../provider.ts';
import { isHexDigest, readHeader } from '../read-header.ts';

/**
 * Creem's webhook signature: hex HMAC-SHA256 of the raw body under the whole secret, its `whsec_` included. Source:
 * docs.creem.io, webhooks. It has no time, so a replay is caught by the inbox only.
 */
export function verifyCreemSignature(
  secret: string | null,
  headers: WebhookHeaders,
  raw: Uint8Array,
): boolean {
  if (!secret) return false;
  const digest = createHmac('sha256', secret).update(raw).digest();
  return isHexDigest(readHeader(headers, 'creem-signature'), digest);
}
