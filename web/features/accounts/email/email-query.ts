import { queryOptions } from '@tanstack/react-query';
import type { EmailState } from '#contract/email.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { reachProblem } from '../sign-in/sign-in.ts';

/** The address of the user who is signed in, and its pending change. */
export const emailQuery = queryOptions({
  queryKey: ['email'],
  queryFn: ({ signal }) => callApi<EmailState>('/api/me/email', { signal }),
  staleTime: 10_000,
});

/** The text key of a link that could not be used. It promises nothing: where no answer came, the link may have done its work. */
export function linkProblem(error: unknown): TextKey {
  return reachProblem(error) ?? 'linkOpener.failed';
}

/** The text key of an act about an address that failed. */
export function addressProblem(error: unknown): TextKey {
  if (error instanceof ApiError) {
    if (error.code === 'email_invalid') return 'account.emailInvalid';
    if (error.code === 'email_same' || error.code === 'email_already_verified') return `errors.${error.code}`;
  }
  return reachProblem(error) ?? 'profile.notSaved';
}
