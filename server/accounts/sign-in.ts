import { z } from 'zod';
import { PASSWORD_MAX } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Auth } from './create-auth.ts';
import { forgetSignIns, limitSignIns } from './limit-sign-ins.ts';
import { type AuthCall, sendToAuth } from './send-to-auth.ts';

export const signInSchema = z.strictObject({
  email: z.string(),
  password: z.string(),
  /** False: the session ends with the browser, and after a day. */
  rememberMe: z.boolean().optional(),
});

/**
 * Signs in with a password; the answer sets the session cookie. Throws `invalid_credentials`, whatever of the two is wrong,
 * and `rate_limited`.
 */
export async function signIn(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'clock'>,
  auth: Auth,
  call: AuthCall,
  input: z.infer<typeof signInSchema>,
): Promise<Response> {
  const email = input.email.trim().toLowerCase();
  const { password, rememberMe = true } = input;
  const isPossible = z.email().max(254).safeParse(email).success && password.length <= PASSWORD_MAX;
  if (!isPossible || password === '') throw new AppError('invalid_credentials');
  try {
    await limitSignIns(deps, email, call.address);
    const response = await sendToAuth(auth, { ...call, body: { email, password, rememberMe } });
    await forgetSignIns(deps, email, call.address);
    return response;
  } catch (error) {
    if (error instanceof AppError)
      deps.log.info({ code: error.code, address: call.address }, 'a sign-in was refused');
    throw error;
  }
}
