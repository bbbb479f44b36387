import type { ConfirmIdentity } from '#contract/confirmation.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Actor } from './authenticate.ts';
import { noteConfirmed } from './confirmation-store.ts';
import { forgetCodes, limitCodes } from './limit-codes.ts';
import { notePasskeyUse } from './passkey-store.ts';
import { readCode, redeemCode } from './redeem-code.ts';
import { hasSecondFactor } from './second-factor-store.ts';
import { verifyOwnPassword } from './verify-own-password.ts';
import { verifyPasskey } from './verify-passkey.ts';

type ConfirmDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log'>;

/**
 * Takes the proof that `requireConfirmed` asks for. Where a second factor is on, the password alone is none. Throws
 * `invalid_credentials`, `confirmation_required` for a proof that is not enough, `code_invalid`, `passkey_refused`,
 * `rate_limited`.
 */
export async function confirmIdentity(
  deps: ConfirmDeps,
  actor: Actor,
  proof: ConfirmIdentity,
): Promise<void> {
  if ('code' in proof) return confirmByCode(deps, actor, proof.code);
  if ('passkey' in proof) return confirmByPasskey(deps, actor, proof);
  const { sql } = deps.database;
  if (await hasSecondFactor(sql, actor.userId)) throw new AppError('confirmation_required');
  await verifyOwnPassword(deps, actor, proof.password);
  await noteConfirmed(sql, actor.sessionId, deps.clock.databaseTime());
}

async function confirmByCode(deps: ConfirmDeps, { userId, sessionId }: Actor, code: string): Promise<void> {
  const key = await limitCodes(deps, userId, { sessionId });
  const found = await readCode(deps, userId, code);
  await deps.database.sql.begin(async (tx) => {
    if (!(await redeemCode(tx, deps, userId, found))) throw new AppError('code_invalid');
    await noteConfirmed(tx, sessionId, deps.clock.databaseTime());
    await forgetCodes(tx, key);
  });
}

async function confirmByPasskey(
  deps: ConfirmDeps,
  { userId, sessionId }: Actor,
  { passkey }: Extract<ConfirmIdentity, { passkey: object }>,
): Promise<void> {
  const use = { purpose: 'confirm', boundTo: sessionId } as const;
  const { id, counter } = await verifyPasskey(deps, passkey, use, userId);
  await deps.database.sql.begin(async (tx) => {
    if (!(await notePasskeyUse(tx, id, counter, deps.clock.now()))) throw new AppError('passkey_refused');
    await noteConfirmed(tx, sessionId, deps.clock.databaseTime());
  });
}
