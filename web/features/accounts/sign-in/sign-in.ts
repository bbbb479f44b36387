import type { SecondStep } from '#contract/accounts/second-factor.ts';
import { ApiError, type ApiErrorCode, callApi } from '#web/lib/api.ts';
import type { TextKey } from '#web/lib/translate.ts';

interface Credentials {
  email: string;
  password: string;
  /** Keep the session when the browser closes. */
  rememberMe: boolean;
}

/**
 * Opens a session, or returns the second step that the account asks for first. `captcha`: as `useCaptcha` gives it. Throws
 * `ApiError`.
 */
export async function signIn(credentials: Credentials, captcha?: string): Promise<SecondStep | null> {
  const answer = await callApi<SecondStep | object>('/api/auth/sign-in/email', {
    method: 'POST',
    body: { ...credentials, email: credentials.email.trim() },
    captcha,
  });
  return 'twoFactor' in answer ? answer : null;
}

/** The answers that put it down to what was typed. */
const TYPED: readonly ApiErrorCode[] = ['invalid_credentials', 'email_invalid', 'invalid_request'];

/** The text key of a failed sign-in. A wrong address and a wrong password have one text; a fault of ours has another. */
export function signInProblem(error: unknown): TextKey {
  if (error instanceof ApiError && TYPED.includes(error.code)) return 'account.loginFailed';
  return reachProblem(error) ?? 'account.loginBroken';
}

/** Whether a mailed link is the way on. */
export function isLimited(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'sign_in_limited';
}

/** The text key when the form is not at fault: no answer, too many tries, or an account that is being deleted; else null. */
export function reachProblem(error: unknown): TextKey | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'network' || error.code === 'unavailable') return 'account.unreachable';
  if (error.code === 'captcha_failed' || error.code === 'captcha_unavailable') return `errors.${error.code}`;
  if (error.code === 'sign_in_limited' || error.code === 'account_leaving') return `errors.${error.code}`;
  return error.code === 'rate_limited' ? 'account.rateLimited' : null;
}
