import type { SecondFactorProof } from '#contract/accounts/confirmation.ts';
import type { SecondStep } from '#contract/accounts/second-factor.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { clearCodes, limitCodes } from '../abuse/limit-codes.ts';
import { countPasskeys, notePasskeyUse } from '../passkeys/passkey-store.ts';
import { startPasskeyAuthentication } from '../passkeys/start-passkey-authentication.ts';
import { verifyPasskey } from '../passkeys/verify-passkey.ts';
import { readCode, verifyCode } from '../second-factor/verify-code.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { type Browser, openSession } from '../sessions/open-session.ts';
import { lockUser } from '../users/access-store.ts';
import {
  countWrongCode,
  deleteSecondStep,
  findSecondStep,
  lockSecondStep,
  type SecondStepRow,
} from './second-step-store.ts';
import type { SignedIn } from './sign-in.ts';

/** After so many wrong codes a sign-in must begin anew. */
const MAX_WRONG_CODES = 5;

type SecondStepDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log'>;

/** Uses a prepared proof of the second factor up, in the transaction that locks the step: true when it was right. */
type Redeem = (tx: Executor) => Promise<boolean>;

/** What the step of a browser waits for; null when it has none, or it is over. */
export async function readSecondStep(deps: SecondStepDeps, token: string | null): Promise<SecondStep | null> {
  const userId = await findSecondStepUser(deps, token);
  if (userId === null) return null;
  const hasPasskey = (await countPasskeys(deps.database.sql, userId)) > 0;
  return { twoFactor: true, methods: hasPasskey ? ['code', 'passkey'] : ['code'] };
}

/** Whose sign-in waits in a browser; null: none does. */
export async function findSecondStepUser(
  { database, clock }: Pick<SecondStepDeps, 'database' | 'clock'>,
  token: string | null,
): Promise<string | null> {
  const step = token && (await findSecondStep(database.sql, hashProof(token), MAX_WRONG_CODES, clock.now()));
  return step ? step.userId : null;
}

/** What the browser is to ask a passkey of the step's user for. Throws `second_step_over`, `not_configured`. */
export async function requestSecondStepPasskey(deps: SecondStepDeps, token: string | null) {
  const { hash, userId } = await requireSecondStep(deps, token);
  return startPasskeyAuthentication(deps, { purpose: 'second_step', boundTo: hash }, userId);
}

/**
 * Ends a sign-in whose first factor was right: a code of the app, a recovery code or a passkey opens the session. The step is good
 * once. Throws `second_step_over`, `code_invalid` with the tries that are left, `passkey_refused`, and as `limitCodes`.
 */
export async function finishSecondStep(
  deps: SecondStepDeps,
  token: string | null,
  proof: SecondFactorProof,
  browser: Browser,
): Promise<SignedIn> {
  const step = await requireSecondStep(deps, token);
  const redeem =
    'code' in proof
      ? await prepareCode(deps, step, proof.code, browser)
      : await preparePasskey(deps, step, proof);
  const outcome = await deps.database.sql.begin(async (tx) => {
    await lockUser(tx, step.userId);
    if (!(await lockSecondStep(tx, step.hash, MAX_WRONG_CODES, deps.clock.now()))) return 'over';
    if (!(await redeem(tx))) return { wrong: await countWrongCode(tx, step.hash) };
    await deleteSecondStep(tx, step.hash);
    return openSession(tx, deps, {
      userId: step.userId,
      rememberMe: step.rememberMe,
      ...browser,
    });
  });
  if (outcome !== 'over' && 'cookies' in outcome) return { userId: step.userId, cookies: outcome.cookies };
  deps.log.info({ address: browser.ip }, 'the second step of a sign-in was refused');
  if (outcome === 'over' || outcome.wrong >= MAX_WRONG_CODES) throw new AppError('second_step_over');
  throw new AppError('code' in proof ? 'code_invalid' : 'passkey_refused', {
    left: MAX_WRONG_CODES - outcome.wrong,
  });
}

async function prepareCode(
  deps: SecondStepDeps,
  { userId }: SecondStepRow,
  code: string,
  browser: Browser,
): Promise<Redeem> {
  const limitKey = await limitCodes(deps, userId, browser);
  const found = await readCode(deps, userId, code);
  return async (tx) => {
    const isRight = await verifyCode(tx, deps, userId, found);
    if (isRight) await clearCodes(tx, limitKey);
    return isRight;
  };
}

async function preparePasskey(
  deps: SecondStepDeps,
  { hash, userId }: SecondStepRow & { hash: string },
  { passkey }: Extract<SecondFactorProof, { passkey: object }>,
): Promise<Redeem> {
  const use = { purpose: 'second_step', boundTo: hash } as const;
  const { id, counter } = await verifyPasskey(deps, passkey, use, userId);
  return (tx) => notePasskeyUse(tx, id, counter, deps.clock.now());
}

async function requireSecondStep(
  { database, clock }: SecondStepDeps,
  token: string | null,
): Promise<SecondStepRow & { hash: string }> {
  const hash = token === null ? null : hashProof(token);
  const step = hash === null ? null : await findSecondStep(database.sql, hash, MAX_WRONG_CODES, clock.now());
  if (hash === null || !step) throw new AppError('second_step_over');
  return { ...step, hash };
}
