import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SearchHit, SearchPage } from '#contract/chat.ts';
import { callApi } from '#web/lib/api.ts';

const PAUSE_MS = 180;

export interface Search {
  hits: readonly SearchHit[];
  /** The words that `hits` were found by. */
  words: string[];
  /** They were found for what was typed before. */
  isStale: boolean;
  state: 'idle' | 'searching' | 'found' | 'failed';
  /** Reads further hits; null when there are none. */
  loadMore: (() => Promise<void>) | null;
}

/** Searches titles and messages for what is typed, once typing pauses. */
export function useSearch(text: string): Search {
  const wanted = text.trim().replace(/\s+/g, ' ');
  const asked = useSettled(wanted);
  const { data, isError, isPlaceholderData, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['conversation-search', asked],
    queryFn: ({ signal, pageParam }) => callApi<SearchPage>(addressOf(asked, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    retry: 1,
  });
  const isAsked = asked !== '';
  const isStale = isPlaceholderData || asked !== wanted;
  const hits = isAsked && data ? data.pages.flatMap((page) => page.hits) : [];
  const more = async () => {
    const { error } = await fetchNextPage();
    if (error) throw error;
  };
  return {
    hits,
    words: asked.toLowerCase().split(' '),
    isStale,
    state: stateOf(isAsked, isError, data !== undefined && !isStale),
    loadMore: hasNextPage && isAsked ? more : null,
  };
}

function stateOf(isAsked: boolean, failed: boolean, known: boolean): Search['state'] {
  if (!isAsked) return 'idle';
  if (failed) return 'failed';
  return known ? 'found' : 'searching';
}

function addressOf(words: string, cursor: string | null): string {
  return `/api/conversations/search?${new URLSearchParams({ q: words, ...(cursor === null ? {} : { cursor }) })}`;
}

/** `value` once it has not changed for a moment; emptied at once. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
