import { infiniteQueryOptions } from '@tanstack/react-query';
import type { EntryKind, LedgerPage } from '#contract/credits.ts';
import { callApi } from '#web/lib/api.ts';

const PAGE_SIZE = 20;

/** The caller's ledger, newest first, page by page; only lines of one kind, or all. */
export function entriesQuery(kind: EntryKind | null) {
  return infiniteQueryOptions({
    queryKey: ['credits', 'entries', kind],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
      if (pageParam) query.set('cursor', pageParam);
      if (kind) query.set('kind', kind);
      return callApi<LedgerPage>(`/api/credits/entries?${query}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}
