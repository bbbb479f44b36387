import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { findUser } from '../users/store.ts';
import { ALGORITHMS, CHALLENGE_MS, MAX_PASSKEYS, requireRpId } from './passkey-rules.ts';
import { insertChallenge, selectPasskeys } from './passkey-store.ts';

/**
 * The server begins a registration: stores a challenge for the session, and answers what the browser is to make a passkey with.
 * `createPasskey` ends it. Throws `confirmation_required`, `too_many_passkeys`, `not_configured`.
 */
export async function startPasskeyRegistration(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  actor: Actor,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  await requireConfirmed(deps, actor);
  const { config, database, clock } = deps;
  const rpID = requireRpId(config.publicUrl);
  const user = await findUser(database.sql, actor.userId);
  if (!user) throw new AppError('unauthenticated');
  const known = await selectPasskeys(database.sql, user.id);
  if (known.length >= MAX_PASSKEYS) throw new AppError('too_many_passkeys', { limit: MAX_PASSKEYS });
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: config.brand.name,
    rpID,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.displayName,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  await insertChallenge(database.sql, {
    hash: hashProof(options.challenge),
    purpose: 'register',
    boundTo: actor.sessionId,
    expiresAt: new Date(clock.now().getTime() + CHALLENGE_MS),
  });
  return options;
}
