import type { Algorithm } from '@node-rs/argon2';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/limits.ts';
import type { HashingCosts } from '#server/config.ts';
import { AppError } from '#server/errors.ts';

const ARGON2ID: Algorithm = 2;

export const PASSES = 2;

/** The costs of OWASP ASVS 5.0, appendix C: two passes, one lane, and the memory that is set. */
export function argon2Costs({ memoryKib }: HashingCosts) {
  return { algorithm: ARGON2ID, memoryCost: memoryKib, timeCost: PASSES, parallelism: 1 };
}

/** Throws `password_too_short` or `password_too_long` for what may not become a password. */
export function requireNewPassword(password: string): void {
  if (password.length < PASSWORD_MIN) throw new AppError('password_too_short', { limit: PASSWORD_MIN });
  if (password.length > PASSWORD_MAX) throw new AppError('password_too_long', { limit: PASSWORD_MAX });
}
