import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EntryKind } from '#contract/credits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ActionNote } from '#web/ui/action-note.tsx';
import { Button, Spinner } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { BalanceLots } from './balance-lots.tsx';
import { entriesQuery } from './entries-query.ts';
import { KindFilter } from './kind-filter.tsx';
import { SpendingChart } from './spending-chart.tsx';
import { StatementTable } from './statement-table.tsx';
import { useFreeWithheld } from './use-free-withheld.ts';

/** The reader's credits as a bank statement. */
export function Statement() {
  const { t } = useTranslation('common');
  const [kind, setKind] = useState<EntryKind | null>(null);
  const query = useInfiniteQuery(entriesQuery(kind));
  const { data: newest } = useInfiniteQuery(entriesQuery(null));
  const entries = query.data?.pages.flatMap((page) => page.entries);
  const { balance, lots, freeWithheld: withheld } = newest?.pages[0] ?? {};
  const note = useFreeWithheld(withheld);
  return (
    <section aria-label={t('statement.title')}>
      {balance === undefined ? null : <BalanceLots balance={balance} lots={lots ?? []} />}
      {withheld ? (
        <div className="mb-8 border-warning border-l-2 pl-4">
          <ActionNote {...note} />
        </div>
      ) : null}
      <SpendingChart />
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <KindFilter kind={kind} onChange={setKind} />
        <a href="/api/credits/entries.csv" download className={buttonStyle('secondary', 'small')}>
          {t('statement.csv')}
        </a>
      </div>
      {query.isPending ? <Spinner /> : null}
      {query.isError ? <Failed onRetry={() => void query.refetch()} /> : null}
      {entries?.length === 0 ? (
        <p className="text-soft">{t(kind ? 'statement.emptyKind' : 'statement.empty')}</p>
      ) : null}
      {entries && entries.length > 0 ? <StatementTable entries={entries} /> : null}
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
