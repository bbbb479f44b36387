import type { SecondProof } from '#contract/accounts/confirmation.ts';
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
import type { SignedIn } from './sign-in.ts';
import {
  countWrongCode,
  deleteSignInStep,
  findSignInStep,
  lockSignInStep,
  type SignInStep,
} from './sign-in-step-store.ts';

/** After so many wrong codes a sign-in must begin anew. */
const MAX_WRONG_CODES = 5;

type SignInStepDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log'>;

/** Takes the second proof within the transaction that locks the step: true when it was right. */
type Redeem = (tx: Executor) => Promise<boolean>;

/** What the step of a browser waits for; null when it has none, or it is over. */
export async function readSecondStep(deps: SignInStepDeps, token: string | null): Promise<SecondStep | null> {
  const userId = await findSignInStepUser(deps, token);
  if (userId === null) return null;
  const hasPasskey = (await countPasskeys(deps.database.sql, userId)) > 0;
  return { twoFactor: true, methods: hasPasskey ? ['code', 'passkey'] : ['code'] };
}

/** Whose sign-in waits in a browser; null: none does. */
export async function findSignInStepUser(
  { database, clock }: Pick<SignInStepDeps, 'database' | 'clock'>,
  token: string | null,
): Promise<string | null> {
  const signInStep =
    token && (await findSignInStep(database.sql, hashProof(token), MAX_WRONG_CODES, clock.now()));
  return signInStep ? signInStep.userId : null;
}

/** What the browser is to ask a passkey of the step's user for. Throws `second_step_over`, `not_configured`. */
export async function requestSignInStepPasskey(deps: SignInStepDeps, token: string | null) {
  const { hash, userId } = await requireSignInStep(deps, token);
  return startPasskeyAuthentication(deps, { purpose: 'second_step', boundTo: hash }, userId);
}

/**
 * Ends a sign-in whose first factor was right: a code of the app, a recovery code or a passkey opens the session. The step is good
 * once. Throws `second_step_over`, `code_invalid` with the tries that are left, `passkey_refused`, and as `limitCodes`.
 */
export async function finishSecondStep(
  deps: SignInStepDeps,
  token: string | null,
  proof: SecondProof,
  browser: Browser,
): Promise<SignedIn> {
  const signInStep = await requireSignInStep(deps, token);
  const redeem =
    'code' in proof
      ? await readGuess(deps, signInStep, proof.code, browser)
      : await readKey(deps, signInStep, proof);
  const outcome = await deps.database.sql.begin(async (tx) => {
    await lockUser(tx, signInStep.userId);
    if (!(await lockSignInStep(tx, signInStep.hash, MAX_WRONG_CODES, deps.clock.now()))) return 'over';
    if (!(await redeem(tx))) return { wrong: await countWrongCode(tx, signInStep.hash) };
    await deleteSignInStep(tx, signInStep.hash);
    return openSession(tx, deps, {
      userId: signInStep.userId,
      rememberMe: signInStep.rememberMe,
      ...browser,
    });
  });
  if (outcome !== 'over' && 'cookies' in outcome)
    return { userId: signInStep.userId, cookies: outcome.cookies };
  deps.log.info({ address: browser.address }, 'the second step of a sign-in was refused');
  if (outcome === 'over' || outcome.wrong >= MAX_WRONG_CODES) throw new AppError('second_step_over');
  throw new AppError('code' in proof ? 'code_invalid' : 'passkey_refused', {
    left: MAX_WRONG_CODES - outcome.wrong,
  });
}

async function readGuess(
  deps: SignInStepDeps,
  { userId }: SignInStep,
  code: string,
  browser: Browser,
): Promise<Redeem> {
  const key = await limitCodes(deps, userId, browser);
  const found = await readCode(deps, userId, code);
  return async (tx) => {
    const isRight = await verifyCode(tx, deps, userId, found);
    if (isRight) await clearCodes(tx, key);
    return isRight;
  };
}

async function readKey(
  deps: SignInStepDeps,
  { hash, userId }: SignInStep & { hash: string },
  { passkey }: Extract<SecondProof, { passkey: object }>,
): Promise<Redeem> {
  const use = { purpose: 'second_step', boundTo: hash } as const;
  const { id, counter } = await verifyPasskey(deps, passkey, use, userId);
  return (tx) => notePasskeyUse(tx, id, counter, deps.clock.now());
}

async function requireSignInStep(
  { database, clock }: SignInStepDeps,
  token: string | null,
): Promise<SignInStep & { hash: string }> {
  const hash = token === null ? null : hashProof(token);
  const signInStep =
    hash === null ? null : await findSignInStep(database.sql, hash, MAX_WRONG_CODES, clock.now());
  if (hash === null || !signInStep) throw new AppError('second_step_over');
  return { ...signInStep, hash };
}
