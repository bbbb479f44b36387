import type { Algorithm } from '@node-rs/argon2';
import type { HashingCosts } from '#server/config.ts';

const ARGON2ID: Algorithm = 2;

export const PASSES = 2;

/** The costs of OWASP ASVS 5.0, appendix C: two passes, one lane, and the memory that is set. */
export function argon2Costs({ memoryKib }: HashingCosts) {
  return { algorithm: ARGON2ID, memoryCost: memoryKib, timeCost: PASSES, parallelism: 1 };
}
