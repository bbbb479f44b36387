import { randomBytes } from 'node:crypto';
import type { HashingCosts } from '#server/config.ts';
import { hashRecoveryCode, newRecoveryCodes, plainRecoveryCode } from './recovery-code-rules.ts';
import type { HashedCodes } from './second-factor-store.ts';

const SALT_BYTES = 16;

/** A set of recovery codes: as the user sees them, this once, and as they are kept. */
export async function createRecoveryCodes(
  costs: HashingCosts,
): Promise<{ codes: string[]; kept: HashedCodes }> {
  const codes = newRecoveryCodes();
  const salt = randomBytes(SALT_BYTES);
  const hashes = await Promise.all(
    codes.map((code) => hashRecoveryCode(plainRecoveryCode(code) ?? '', salt, costs)),
  );
  return { codes, kept: { salt, memoryKib: costs.memoryKib, hashes } };
}
