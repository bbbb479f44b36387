import { infiniteQueryOptions } from '@tanstack/react-query';
import type { LedgerPage } from '#contract/credits.ts';
import { callApi } from '#web/lib/api.ts';

const PAGE_SIZE = 20;

/** The caller's ledger, newest first, page by page. */
export const entriesQuery = infiniteQueryOptions({
  queryKey: ['credits', 'entries'],
  queryFn: ({ pageParam, signal }) => {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (pageParam) query.set('cursor', pageParam);
    return callApi<LedgerPage>(`/api/credits/entries?${query}`, { signal });
  },
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
});
