import { queryOptions } from '@tanstack/react-query';
import type { SignInMethods, SignInOptions } from '#contract/accounts/google.ts';
import { callApi } from '#web/lib/api.ts';

/** The ways in that this installation offers beside a password. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => callApi<SignInOptions>('/api/auth/options', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The user's own ways in. */
export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: ({ signal }) => callApi<SignInMethods>('/api/me/sign-ins', { signal }),
});
