import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { ADMIN_KEY } from './admin-query.ts';
import { Loaded } from './screen.tsx';

interface Page {
  nextCursor: string | null;
}

interface PagesProps<P extends Page> {
  /** The path of the screen: `inbox`. */
  path: string;
  /** What is asked for besides the page; what is empty is not. */
  filter: Readonly<Record<string, string>>;
  children: (pages: readonly P[]) => ReactNode;
}

/** A list that is read page by page as one comes to its end. */
export function Pages<P extends Page>({ path, filter, children }: PagesProps<P>) {
  const { t } = useTranslation('admin');
  const asked = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  const query = useInfiniteQuery({
    queryKey: [...ADMIN_KEY, path, asked.toString()],
    queryFn: ({ pageParam, signal }) => {
      const parameters = new URLSearchParams(asked);
      if (pageParam !== null) parameters.set('cursor', pageParam);
      return callApi<P>(`/api/admin/${path}${parameters.size > 0 ? `?${parameters}` : ''}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last: P) => last.nextCursor,
  });
  const loadMore = async () => {
    const { error } = await query.fetchNextPage();
    if (error) throw error;
  };
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <>
          {children(pages)}
          {query.hasNextPage ? (
            <LoadMore label={t('admin.older')} failedText={t('admin.olderFailed')} load={loadMore} />
          ) : null}
        </>
      )}
    </Loaded>
  );
}
