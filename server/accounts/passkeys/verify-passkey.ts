import type { PasskeyAnswer } from '#contract/accounts/passkeys.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { requireRpId } from './passkey-rules.ts';
import { type ChallengeUse, consumeChallenge, findPasskey, type PasskeyRow } from './passkey-store.ts';

/** The passkey that answered. Each caller passes `counter` to `notePasskeyUse` in its transaction, which refuses a copied passkey. */
export interface VerifiedPasskey {
  id: string;
  userId: string;
  counter: number;
}

/**
 * Makes sure that a passkey signed the challenge of this use, which is good once; a passkey of `userId` where that is not null. Half of
 * the check: `notePasskeyUse` is the other one. Throws `passkey_refused`, whatever is wrong.
 */
export async function verifyPasskey(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>,
  answer: PasskeyAnswer,
  use: ChallengeUse,
  userId: string | null,
): Promise<VerifiedPasskey> {
  const passkey = await findPasskey(deps.database.sql, answer.id);
  if (!passkey || (userId ?? passkey.userId) !== passkey.userId) throw new AppError('passkey_refused');
  const counter = await verifyAnswer(deps, answer, use, passkey).catch((err: unknown) => {
    deps.log.info({ err, purpose: use.purpose }, 'a passkey was refused');
    throw new AppError('passkey_refused');
  });
  return { id: passkey.id, userId: passkey.userId, counter };
}

/** Returns the counter of the passkey. Throws what is wrong. */
async function verifyAnswer(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  { id, rawId, type, response }: PasskeyAnswer,
  use: ChallengeUse,
  { credentialId, publicKey, counter }: PasskeyRow,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { id, rawId, type, response, clientExtensionResults: {} },
    expectedChallenge: (challenge) =>
      consumeChallenge(database.sql, hashProof(String(challenge)), use, clock.now()),
    expectedOrigin: [...config.trustedOrigins],
    expectedRPID: requireRpId(config.publicUrl),
    requireUserVerification: use.purpose !== 'second_step',
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
  });
  if (!verified) throw new Error('the signature is wrong');
  return authenticationInfo.newCounter;
}
