import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Quote, SendOptions } from '#contract/message/quotes.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { mayCost } from './answer-options.ts';

/** What a message carries besides its text. */
export interface Extras {
  /** Ids of its files, in their order. */
  files?: readonly string[];
  options?: SendOptions;
}

/** What the message being written may cost. */
export interface ShownQuote {
  /** The most, in credits; null while it is not known. */
  max: number | null;
  lines: Quote['lines'];
  /** Why it is not known. */
  error: ApiError | null;
  /** A newer one is on its way: what is shown may be of the message as it was. */
  isPending: boolean;
  /** It depends on files that are not read yet, and nothing is shown. */
  isUnread: boolean;
  retry(): void;
}

export interface QuoteInput {
  /** Null for a conversation that has no message yet. */
  conversationId: string | null;
  parentId: string | null;
  model: CatalogueModel | undefined;
  extras: Extras;
  /** The server is asked even where nothing is added: the conversation has files, or the price has just changed. */
  isAsked: boolean;
  /** Files of the message are on their way or being read: no price is known until they are. */
  isUnread?: boolean;
}

const SETTLED_MS = 250;
const FRESH_MS = 60_000;

/** Where TanStack Query keeps quotes. */
export const QUOTES_KEY = ['quotes'] as const;

/**
 * What the message being written may cost at most. Of a text alone in a conversation without files that is the model's price, and
 * nothing is asked; else the server is, once nothing has changed for a moment.
 */
export function useQuote(input: QuoteInput): ShownQuote {
  const { conversationId, parentId, model, extras, isAsked, isUnread = false } = input;
  const { files = [], options } = extras;
  const needed = model !== undefined && (isAsked || files.length > 0 || mayCost(options));
  const wanted = useMemo(
    () =>
      JSON.stringify({
        ...(conversationId ? { conversationId, parentId } : {}),
        model: model?.id,
        ...extras,
      }),
    [conversationId, parentId, model?.id, extras],
  );
  const settled = useSettled(wanted);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [...QUOTES_KEY, settled],
    queryFn: ({ signal }) =>
      callApi<Quote>('/api/quotes', { method: 'POST', body: JSON.parse(settled), signal }),
    enabled: needed && !isUnread && settled === wanted,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const cost = model?.cost ?? null;
  const isPending = needed && (settled !== wanted || isFetching || isPlaceholderData);
  const failed = needed && !isPending && error instanceof ApiError ? error : null;
  const quote = failed ? undefined : data;
  return useMemo(() => {
    if (isUnread) return { ...UNASKED, max: null, isPending: true, isUnread };
    if (!needed) return { ...UNASKED, max: cost, isPending: false, isUnread };
    const { max = null, lines = NO_LINES } = quote ?? {};
    return { max, lines, error: failed, isPending, isUnread, retry: () => void refetch() };
  }, [isUnread, needed, cost, quote, failed, isPending, refetch]);
}

const NO_LINES: Quote['lines'] = [];
const UNASKED = { lines: NO_LINES, error: null, retry: () => {} };

/** The value once it has stood for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return;
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}
