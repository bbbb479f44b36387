import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Deps } from '#server/deps.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { CHALLENGE_MS, requireRpId } from './passkey-rules.ts';
import { type ChallengeUse, insertChallenge, selectPasskeys } from './passkey-store.ts';

/**
 * The server begins an authentication: stores a challenge for this use, and answers what the browser is to ask a passkey for:
 * one of a user, or, where `userId` is null, whichever its holder picks. `verifyPasskey` ends it. Only as a second step need the
 * passkey not verify who holds it. Throws `not_configured`.
 */
export async function startPasskeyAuthentication(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  use: ChallengeUse,
  userId: string | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const rpID = requireRpId(config.publicUrl);
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const own = userId === null ? [] : await selectPasskeys(database.sql, userId);
  const options = await generateAuthenticationOptions({
    rpID,
    timeout: CHALLENGE_MS,
    userVerification: use.purpose === 'second_step' ? 'preferred' : 'required',
    allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS);
  await insertChallenge(database.sql, { ...use, hash: hashProof(options.challenge), expiresAt });
  return options;
}
