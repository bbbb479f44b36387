import { ApiError, type ApiErrorCode, callApi } from '#web/lib/api.ts';
import type { TextKey } from '#web/lib/translate.ts';
import type { Registration } from '../form/check-registration.ts';
import { reachProblem } from '../sign-in/sign-in.ts';

/** Makes an account and opens its session. `captcha`: as `useCaptcha` gives it. Throws `ApiError`. */
export async function signUp(
  { email, password }: Pick<Registration, 'email' | 'password'>,
  captcha?: string,
): Promise<void> {
  await callApi('/api/auth/sign-up/email', {
    method: 'POST',
    body: { email: email.trim(), password, name: '' },
    captcha,
  });
}

interface SignUpProblem {
  /** The field at fault, or the form as a whole. */
  field: keyof Registration | 'form';
  text: TextKey;
}

const AT_FIELD: Partial<Record<ApiErrorCode, SignUpProblem>> = {
  email_taken: { field: 'email', text: 'account.emailTaken' },
  email_invalid: { field: 'email', text: 'account.emailInvalid' },
  password_too_short: { field: 'password', text: 'account.passwordWeak' },
  password_too_long: { field: 'password', text: 'account.passwordTooLong' },
};

/** What to say of a failed sign-up, and where. */
export function signUpProblem(error: unknown): SignUpProblem {
  const atField = error instanceof ApiError ? AT_FIELD[error.code] : undefined;
  return atField ?? { field: 'form', text: reachProblem(error) ?? 'account.registerFailed' };
}
