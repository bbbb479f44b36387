import type { SecondStep } from '#contract/accounts/second-factor.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { countPasskeys } from '../passkeys/passkey-store.ts';
import { hasSecondFactor } from '../second-factor/second-factor-store.ts';
import { createProof } from '../secrets/hash-proof.ts';
import { writeProofCookie } from '../secrets/proof-cookie.ts';
import { insertSecondStep } from './second-step-store.ts';

/** How long a sign-in waits for its second step. */
const STEP_SECONDS = 600;

export interface StartedSecondStep {
  /** The `Set-Cookie` value that binds the step to this browser. */
  cookie: string;
  answer: SecondStep;
}

/**
 * To be asked between a right password (or another first factor) and `openSession`, in the same transaction: null when nothing more
 * is needed, else the sign-in goes on with `finishSecondStep` in the browser that gets the cookie.
 */
export async function startSecondStep(
  sql: Executor,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { userId, rememberMe }: { userId: string; rememberMe: boolean },
): Promise<StartedSecondStep | null> {
  if (!(await hasSecondFactor(sql, userId))) return null;
  const { token, hash } = createProof();
  const expiresAt = new Date(clock.now().getTime() + STEP_SECONDS * 1000);
  await insertSecondStep(sql, { hash, userId, rememberMe, expiresAt });
  const hasPasskey = (await countPasskeys(sql, userId)) > 0;
  return {
    cookie: writeProofCookie(config, 'second_step', token, STEP_SECONDS),
    answer: { twoFactor: true, methods: hasPasskey ? ['code', 'passkey'] : ['code'] },
  };
}
