import { z } from 'zod';
import { MAX_PASSWORD } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { clearSignIns, limitSignIns, type SignInCaller } from '../abuse/limit-sign-ins.ts';
import { verifyPassword } from '../secrets/hash-password.ts';
import { type Browser, openSession } from '../sessions/open-session.ts';
import { lockUser } from '../users/access-store.ts';
import { findCredentials, lockCredentials } from '../users/identity-store.ts';
import { type StartedSecondStep, startSecondStep } from './start-second-step.ts';

export const signInSchema = z.strictObject({
  email: z.string(),
  password: z.string(),
  /** False: the session ends with the browser, and after a day. */
  rememberMe: z.boolean().optional(),
});

/** Who is signed in now, and the `Set-Cookie` values that say so. */
export interface SignedIn {
  userId: string;
  cookies: string[];
}

type SignInDeps = Pick<Deps, 'config' | 'database' | 'log' | 'clock'>;

/**
 * Signs in with a password; where a second factor is on, the sign-in waits for its second step. Throws `invalid_credentials`,
 * whatever of the two is wrong, and as `limitSignIns`.
 */
export async function signIn(
  deps: SignInDeps,
  input: z.infer<typeof signInSchema>,
  browser: Browser & SignInCaller,
): Promise<SignedIn | StartedSecondStep> {
  const { rememberMe = true } = input;
  const { userId, hash } = await verifyCredentials(deps, input, browser);
  return deps.database.sql.begin(async (tx) => {
    await lockUser(tx, userId);
    // A password that was replaced meanwhile has ended its sessions, and must not open another one.
    if (!(await lockCredentials(tx, userId, hash))) throw new AppError('invalid_credentials');
    const step = await startSecondStep(tx, deps, { userId, rememberMe });
    if (step) return step;
    const { cookies } = await openSession(tx, deps, { userId, rememberMe, ...browser });
    return { userId, cookies };
  });
}

/** Whose the address and the password are; each try counts, and a wrong one is logged. */
async function verifyCredentials(
  deps: SignInDeps,
  { email: given, password }: { email: string; password: string },
  caller: SignInCaller,
): Promise<{ userId: string; hash: string }> {
  const { ip } = caller;
  const email = given.trim().toLowerCase();
  const isPossible = z.email().max(254).safeParse(email).success && password.length <= MAX_PASSWORD;
  if (!isPossible || password === '') throw new AppError('invalid_credentials');
  try {
    const isTrusted = await limitSignIns(deps, email, caller);
    const known = await findCredentials(deps.database.sql, email);
    const isRight = await verifyPassword(known?.hash ?? null, password, deps.config.hashing);
    if (!known?.hash || !isRight) throw new AppError('invalid_credentials');
    if (!isTrusted) await clearSignIns(deps, email, ip);
    return { userId: known.userId, hash: known.hash };
  } catch (error) {
    if (error instanceof AppError) deps.log.info({ code: error.code, address: ip }, 'a sign-in was refused');
    throw error;
  }
}
