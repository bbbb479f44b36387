import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { openSecret } from '../secrets/seal-secret.ts';
import { sendNotice } from '../users/send-notice.ts';
import { hashRecoveryCode, plainRecoveryCode } from './recovery-code-rules.ts';
import { consumeRecoveryCode, consumeTotpCounter, findSecondFactor } from './second-factor-store.ts';
import { totpCounterOf } from './totp-rules.ts';

type CodeDeps = Pick<Deps, 'config' | 'database' | 'clock'>;

/** What a typed code would use up; null when it is wrong in any case. */
export type CodeProof = { secret: string; totpCounter: number } | { recoveryHash: Buffer } | null;

/** Looks at a code of the app or a recovery code, before the transaction that redeems it: hashing takes its time. */
export async function readCode(
  { config, database, clock }: CodeDeps,
  userId: string,
  typed: string,
): Promise<CodeProof> {
  const factor = await findSecondFactor(database.sql, userId);
  if (!factor) return null;
  const digits = typed.replace(/\s/g, '');
  if (/^\d{6}$/.test(digits)) {
    const secret = openSecret(config.authSecret, userId, factor.secret);
    const totpCounter = secret === null ? null : totpCounterOf(secret, digits, clock.now());
    return totpCounter === null ? null : { secret: factor.secret, totpCounter };
  }
  const plain = plainRecoveryCode(typed);
  if (plain === null) return null;
  const costs = { memoryKib: factor.recoveryMemoryKib ?? config.hashing.memoryKib };
  return { recoveryHash: await hashRecoveryCode(plain, factor.recoverySalt, costs) };
}

/** Uses up what `readCode` found, inside the transaction of what it is for; of several callers exactly one gets true. */
export async function verifyCode(
  tx: Executor,
  deps: CodeDeps,
  userId: string,
  proof: CodeProof,
): Promise<boolean> {
  if (proof === null) return false;
  if ('totpCounter' in proof) return consumeTotpCounter(tx, userId, proof.secret, proof.totpCounter);
  if (!(await consumeRecoveryCode(tx, userId, proof.recoveryHash))) return false;
  const left = (await findSecondFactor(tx, userId))?.codesLeft ?? 0;
  await sendNotice(tx, deps, userId, 'recovery_code_used', { left });
  return true;
}
