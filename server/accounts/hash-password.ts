import { type Algorithm, hash, verify } from '@node-rs/argon2';

const ARGON2ID: Algorithm = 2;

/** Costs of OWASP ASVS 5.0, appendix C: 19 MiB, two passes, one lane. */
const COSTS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password, in PHC format with its own salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COSTS);
}

/** A hash of those costs that no password is let in by: it is compared with where there is none, so that the time tells nothing. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$5++o9DHwHH2fEBSkOOzhkQ$g6GNZKCZ91bPh5O3QPlWZgYDC6KWQKycPvZMOcbLQRQ';

/** Was `encoded` made from this password; false too for null, after the same time, and for what is no hash. */
export async function verifyPassword(encoded: string | null, password: string): Promise<boolean> {
  const isRight = await verify(encoded ?? NOBODYS, password).catch(() => false);
  return isRight && encoded !== null;
}
