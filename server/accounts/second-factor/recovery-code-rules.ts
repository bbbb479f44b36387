import { randomInt } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import type { HashingCosts } from '#server/config.ts';
import { argon2Costs } from '../secrets/argon2-rules.ts';

/** Without I, L, O, U, 0 and 1, which are misread. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const LENGTH = 10;
const COUNT = 10;

const HASH_BYTES = 32;

/** Ten new codes such as `KD3QH-7XPWM`. */
export function newRecoveryCodes(): string[] {
  const letter = () => LETTERS[randomInt(LETTERS.length)] ?? '';
  return Array.from({ length: COUNT }, () => {
    const code = Array.from({ length: LENGTH }, letter).join('');
    return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
  });
}

/** The letters of a typed code, however it was written; null for what cannot be one. */
export function plainRecoveryCode(typed: string): string | null {
  const plain = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return plain.length === LENGTH ? plain : null;
}

/**
 * How a code is kept: as a password is (OWASP ASVS 5.0, 6.5.2), since it has less than 112 bits. One salt for all codes of a user, so
 * that a typed one is looked up by one hash.
 */
export function hashRecoveryCode(plain: string, salt: Buffer, costs: HashingCosts): Promise<Buffer> {
  return hashRaw(plain, { ...argon2Costs(costs), outputLen: HASH_BYTES, salt });
}
