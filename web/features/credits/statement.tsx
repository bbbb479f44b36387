import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { entriesQuery } from './entries-query.ts';
import { StatementTable } from './statement-table.tsx';

/** The reader's credits as a bank statement. */
export function Statement() {
  const { t } = useTranslation('common');
  const query = useInfiniteQuery(entriesQuery);
  return (
    <section aria-labelledby="statement">
      <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 id="statement" className="headline text-3xl">
            {t('statement.title')}
          </h2>
          <p className="text-soft">{t('statement.lead')}</p>
        </div>
        <a href="/api/credits/entries.csv" download className={buttonStyle('secondary', 'small')}>
          {t('statement.csv')}
        </a>
      </div>
      {query.isPending ? <Spinner /> : null}
      {query.isError ? <Failed onRetry={() => void query.refetch()} /> : null}
      {query.data ? <StatementTable entries={query.data.pages.flatMap(({ entries }) => entries)} /> : null}
      {query.hasNextPage ? (
        <Button
          variant="secondary"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
          className="mt-6"
        >
          {t('statement.more')}
        </Button>
      ) : null}
    </section>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('common');
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <p>{t('statement.loadFailed')}</p>
      <Button variant="secondary" onClick={onRetry}>
        {t('statement.retry')}
      </Button>
    </div>
  );
}
