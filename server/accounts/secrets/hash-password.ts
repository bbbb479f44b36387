import { hash, verify } from '@node-rs/argon2';
import type { HashingCosts } from '#server/config.ts';
import { argon2Costs, PASSES } from './argon2-rules.ts';

/** The argon2id hash of a password, in PHC format with its own salt. */
export function hashPassword(password: string, costs: HashingCosts): Promise<string> {
  return hash(password, argon2Costs(costs));
}

/** A hash of those costs that no password is let in by: it is compared with where there is none, so that the time reveals nothing. */
function dummyHash({ memoryKib }: HashingCosts): string {
  return `$argon2id$v=19$m=${memoryKib},t=${PASSES},p=1$5++o9DHwHH2fEBSkOOzhkQ$g6GNZKCZ91bPh5O3QPlWZgYDC6KWQKycPvZMOcbLQRQ`;
}

/** True when `encoded` was made from this password; false too for null, after the same time, and for what is no hash. */
export async function verifyPassword(
  encoded: string | null,
  password: string,
  costs: HashingCosts,
): Promise<boolean> {
  const isRight = await verify(encoded ?? dummyHash(costs), password).catch(() => false);
  return isRight && encoded !== null;
}
