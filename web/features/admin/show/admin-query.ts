import { queryOptions } from '@tanstack/react-query';
import type { Proposals } from '#contract/admin/acts.ts';
import { callApi } from '#web/lib/api.ts';

/** What stands before the key of every screen: after an act all of them are read again. */
export const ADMIN_KEY = ['admin'] as const;

/** The first page of a screen by its path: `users?find=a`. */
export function screenQuery<T>(path: string) {
  return queryOptions({
    queryKey: [...ADMIN_KEY, path],
    queryFn: ({ signal }) => callApi<T>(`/api/admin/${path}`, { signal }),
  });
}

/** What waits for a second operator; the list of screens shows how much. */
export const proposalsQuery = queryOptions({
  ...screenQuery<Proposals>('proposals'),
  refetchInterval: 60_000,
});
