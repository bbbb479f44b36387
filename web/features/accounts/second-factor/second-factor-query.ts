import { queryOptions } from '@tanstack/react-query';
import type { PasskeyList } from '#contract/accounts/passkeys.ts';
import type { SecondFactor } from '#contract/accounts/second-factor.ts';
import { callApi } from '#web/lib/api.ts';

/** Whether the second factor is on. */
export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => callApi<SecondFactor>('/api/me/second-factor', { signal }),
});

/** The user's passkeys. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async ({ signal }) => (await callApi<PasskeyList>('/api/me/passkeys', { signal })).passkeys,
});
