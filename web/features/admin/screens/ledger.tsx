import { useQuery } from '@tanstack/react-query';
import type { LedgerScreen as Ledger } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { UserLink } from '../show/links.tsx';
import { Records } from '../show/records.tsx';
import { Loaded, Part, Screen } from '../show/screen.tsx';
import { ShortId } from '../show/short-id.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';

/** What does not add up in the ledger, which is nothing; and what could not be taken back. */
export function LedgerScreen() {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const word = useWords();
  const query = useQuery(screenQuery<Ledger>('ledger'));
  return (
    <Screen title={t('admin.screen.ledger')} lead={t('admin.ledger.lead')}>
      <Loaded query={query}>
        {({ drift, hasMore, unrecovered }) => (
          <>
            <Part title={t('admin.ledger.drift')}>
              <p className={drift.length > 0 ? 'text-danger' : 'text-success'}>
                {drift.length > 0 ? t('admin.ledger.hasDrift') : t('admin.ledger.noDrift')}
              </p>
              {drift.length > 0 ? (
                <Records
                  label={t('admin.ledger.drift')}
                  rows={drift}
                  keyOf={(row) => JSON.stringify(row)}
                  empty=""
                  columns={[
                    { name: t('admin.column.kind'), cell: ({ kind }) => word('drift', kind) },
                    { name: t('admin.column.user'), cell: ({ userId }) => <UserLink id={userId} /> },
                    {
                      name: t('admin.column.detail'),
                      cell: ({ detail }) => (
                        <code className="break-all text-sm">{JSON.stringify(detail)}</code>
                      ),
                    },
                  ]}
                />
              ) : null}
              {hasMore ? <p className="text-danger">{t('admin.ledger.hasMore')}</p> : null}
            </Part>
            <Part title={t('admin.ledger.unrecovered')}>
              <Records
                label={t('admin.ledger.unrecovered')}
                rows={unrecovered}
                keyOf={({ userId, paymentKey, credits }) => `${userId} ${paymentKey} ${credits}`}
                empty={t('admin.ledger.noUnrecovered')}
                columns={[
                  { name: t('admin.column.user'), cell: ({ userId }) => <UserLink id={userId} /> },
                  {
                    name: t('admin.column.charge'),
                    cell: ({ paymentKey }) => (paymentKey ? <ShortId id={paymentKey} /> : null),
                  },
                  { name: 'Credits', kind: 'number', cell: ({ credits }) => whole(credits) },
                ]}
              />
            </Part>
          </>
        )}
      </Loaded>
    </Screen>
  );
}
