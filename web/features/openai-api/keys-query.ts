import { queryOptions } from '@tanstack/react-query';
import type { KeyList, Usage } from '#contract/keys.ts';
import { callApi } from '#web/lib/api.ts';

/** The reader's API keys, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await callApi<KeyList>('/api/keys', { signal })).keys,
});

/** What the reader's API requests of the last 30 days came to. */
export const usageQuery = queryOptions({
  queryKey: ['keys', 'usage'],
  queryFn: ({ signal }) => callApi<Usage>('/api/keys/usage', { signal }),
});
