import type { ConfirmIdentity } from '#contract/accounts/confirmation.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { clearCodes, limitCodes } from '../abuse/limit-codes.ts';
import { notePasskeyUse } from '../passkeys/passkey-store.ts';
import { verifyPasskey } from '../passkeys/verify-passkey.ts';
import { verifyOwnPassword } from '../passwords/verify-own-password.ts';
import { hasSecondFactor } from '../second-factor/second-factor-store.ts';
import { readCode, verifyCode } from '../second-factor/verify-code.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { confirmSession } from '../sessions/confirm-session.ts';

type ConfirmDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'bus'>;

/** Uses a prepared proof up, in the transaction that confirms the session. Throws what is wrong with it. */
type Redeem = (tx: Executor) => Promise<void>;

/**
 * Takes the proof that `requireConfirmed` asks for. Where a second factor is on, the password alone is none. Returns the
 * `Set-Cookie` value of the session, which has another token from then on. Throws `invalid_credentials`, `confirmation_required`
 * for a proof that is not enough, `code_invalid`, `passkey_refused`, `rate_limited`.
 */
export async function confirmIdentity(
  deps: ConfirmDeps,
  actor: Actor,
  proof: ConfirmIdentity,
): Promise<string> {
  const redeem = await prepareProof(deps, actor, proof);
  return confirmSession(deps, actor, redeem);
}

async function prepareProof(deps: ConfirmDeps, actor: Actor, proof: ConfirmIdentity): Promise<Redeem> {
  if ('code' in proof) return prepareCode(deps, actor, proof.code);
  if ('passkey' in proof) return preparePasskey(deps, actor, proof);
  if (await hasSecondFactor(deps.database.sql, actor.userId)) throw new AppError('confirmation_required');
  await verifyOwnPassword(deps, actor, proof.password);
  return async () => {};
}

async function prepareCode(deps: ConfirmDeps, { userId, sessionId }: Actor, code: string): Promise<Redeem> {
  const limitKey = await limitCodes(deps, userId, { sessionId });
  const found = await readCode(deps, userId, code);
  return async (tx) => {
    if (!(await verifyCode(tx, deps, userId, found))) throw new AppError('code_invalid');
    await clearCodes(tx, limitKey);
  };
}

async function preparePasskey(
  deps: ConfirmDeps,
  { userId, sessionId }: Actor,
  { passkey }: Extract<ConfirmIdentity, { passkey: object }>,
): Promise<Redeem> {
  const use = { purpose: 'confirm', boundTo: sessionId } as const;
  const { id, counter } = await verifyPasskey(deps, passkey, use, userId);
  return async (tx) => {
    if (!(await notePasskeyUse(tx, id, counter, deps.clock.now()))) throw new AppError('passkey_refused');
  };
}
