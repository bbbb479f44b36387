import type { Passkey, RegisterPasskey } from '#contract/accounts/passkeys.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { requireName } from '#server/platform/clean-text.ts';
import { newId } from '#server/platform/ids.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { changeCredential } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { limitChanges, sendNotice } from '../users/send-notice.ts';
import { presentPasskey } from './list-passkeys.ts';
import { ALGORITHMS, MAX_PASSKEYS, requireRpId } from './passkey-rules.ts';
import { consumeChallenge, countPasskeys, insertPasskey } from './passkey-store.ts';

type RegisterDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'bus'>;
type Answer = RegisterPasskey['answer'];

/**
 * Keeps a passkey that the browser has made for the challenge of `startPasskeyRegistration`, and ends every other session. Throws
 * `confirmation_required`, `passkey_refused`, `passkey_taken`, `too_many_passkeys`, `rate_limited`.
 */
export async function createPasskey(
  deps: RegisterDeps,
  actor: Actor,
  { name: given, answer }: RegisterPasskey,
): Promise<Passkey> {
  await requireConfirmed(deps, actor);
  const name = requireName(given, 'name');
  const { credential, credentialBackedUp } = await verifyAnswer(deps, actor, answer).catch((err: unknown) => {
    deps.log.info({ err }, 'a new passkey was refused');
    throw new AppError('passkey_refused');
  });
  const passkey = {
    id: newId(),
    userId: actor.userId,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: (answer.response.transports ?? []).filter((one) => /^[a-z-]{1,20}$/.test(one)),
    name,
    synced: credentialBackedUp,
    createdAt: deps.clock.now(),
  };
  await limitChanges(deps, actor.userId);
  await changeCredential(deps, actor, async (tx) => {
    if ((await countPasskeys(tx, actor.userId)) >= MAX_PASSKEYS)
      throw new AppError('too_many_passkeys', { limit: MAX_PASSKEYS });
    if (!(await insertPasskey(tx, passkey))) throw new AppError('passkey_taken');
    await sendNotice(tx, deps, actor.userId, 'passkey_added', { name }, passkey.id);
  });
  return presentPasskey({ ...passkey, usedAt: null });
}

async function verifyAnswer(
  { config, database, clock }: RegisterDeps,
  actor: Actor,
  { id, rawId, type, response }: Answer,
) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  await refuseCertificates(response.attestationObject);
  const { clientDataJSON, attestationObject } = response;
  const use = { purpose: 'register', boundTo: actor.sessionId } as const;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: (challenge) =>
      consumeChallenge(database.sql, hashProof(String(challenge)), use, clock.now()),
    expectedOrigin: [...config.trustedOrigins],
    expectedRPID: requireRpId(config.publicUrl),
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!verified) throw new Error('the attestation is wrong');
  return registrationInfo;
}

/** None was asked for, and the library would fetch lists of revoked ones from wherever a certificate says. */
async function refuseCertificates(attestationObject: string) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  const isPlain =
    format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  if (!isPlain) throw new Error(`an attestation of the form ${format} was not asked for`);
}
