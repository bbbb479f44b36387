import { type Algorithm, hash, verify } from '@node-rs/argon2';

const ARGON2ID: Algorithm = 2;

/** Costs of OWASP ASVS 5.0, appendix C: 19 MiB, two passes, one lane. */
const COSTS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password, in PHC format with its own salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COSTS);
}

/** Was `encoded` made from this password; false too for what is no hash. */
export async function verifyPassword(encoded: string, password: string): Promise<boolean> {
  return verify(encoded, password).catch(() => false);
}
