import { queryOptions } from '@tanstack/react-query';
import type { ResetDone, ResetOffer } from '#contract/accounts.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { reachProblem } from '../sign-in/sign-in.ts';

/** What the browser's history keeps of the way to the reset page. */
export interface ResetState {
  /** By “this was not me”, which has ended the password and every session. */
  takenBack: boolean;
}

/** What the holder of a reset mail decides beside the password. */
export const resetOfferQuery = (token: string) =>
  queryOptions({
    queryKey: ['reset-offer', token],
    queryFn: () => callApi<ResetOffer>('/api/auth/reset-password/offer', { method: 'POST', body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Asks for a mail with a reset link. `captcha`: as `useCaptcha` gives it. Throws `ApiError`. */
export async function requestReset(email: string, captcha?: string): Promise<void> {
  const body = { email: email.trim() };
  await callApi('/api/auth/request-password-reset', { method: 'POST', body, captcha });
}

/** Sets a new password by the token of a reset mail; of what else opens the account, `keep` stays. Throws `ApiError`. */
export function resetPassword(token: string, newPassword: string, keep: string[]): Promise<ResetDone> {
  const body = { token, newPassword, keep };
  return callApi<ResetDone>('/api/auth/reset-password', { method: 'POST', body });
}

/** The text key of a request that failed; `forgot.text` where this server sends no mail. */
export function requestProblem(error: unknown): TextKey {
  if (error instanceof ApiError && error.code === 'not_configured') return 'forgot.text';
  if (error instanceof ApiError && error.code === 'email_invalid') return 'account.emailInvalid';
  return reachProblem(error) ?? 'forgot.failed';
}

/** The text key of a reset that failed; `errors.reset_link_invalid` where a new link is needed. */
export function resetProblem(error: unknown): TextKey {
  if (error instanceof ApiError && error.code === 'reset_link_invalid') return 'errors.reset_link_invalid';
  return reachProblem(error) ?? 'reset.failed';
}
