import { isIP } from 'node:net';
import { MINUTE_MS } from '#contract/time.ts';
import { AppError } from '#server/errors.ts';

/** How long a passkey may take to answer. */
export const CHALLENGE_MS = 5 * MINUTE_MS;

/** Most passkeys of one user. */
export const MAX_PASSKEYS = 20;

/** Signatures that every runtime checks: EdDSA, ES256, RS256 (COSE numbers). */
export const ALGORITHMS = [-8, -7, -257];

/**
 * The domain that passkeys of this product belong to. Throws `not_configured` where `PUBLIC_URL` names an IP address, which has none
 * (WebAuthn 3, 5.1.3).
 */
export function requireRpId(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new AppError('not_configured', { setting: 'PUBLIC_URL' });
  return hostname;
}
