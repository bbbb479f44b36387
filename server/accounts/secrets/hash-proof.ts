import { createHash, randomBytes } from 'node:crypto';

/** How a one-time proof is kept: a reader of the table cannot use it. */
export function hashProof(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** A new one-time proof: what its link carries, and how it is kept. */
export function createProof(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashProof(token) };
}
