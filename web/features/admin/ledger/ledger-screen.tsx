import { useQuery } from '@tanstack/react-query';
import type { LedgerScreen as Ledger, LedgerCheck } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { UserLink } from '../show/links.tsx';
import { OnDemand } from '../show/on-demand.tsx';
import { Records } from '../show/records.tsx';
import { Loaded, Part, Screen } from '../show/screen.tsx';
import { ShortId } from '../show/short-id.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { AccountingTerms } from './accounting-terms.tsx';

/** What does not add up in the ledger, which is nothing; and what could not be taken back. */
export function LedgerScreen() {
  const { t } = useTranslation('admin');
  const { whole, moment } = useFormat();
  const query = useQuery(screenQuery<Ledger>('ledger'));
  return (
    <Screen title={t('admin.screen.ledger')} lead={t('admin.ledger.lead')}>
      <Loaded query={query}>
        {({ checkedAt, isLate, unrecovered, ...found }) => (
          <>
            <Part title={t('admin.ledger.regular')}>
              <p className="text-soft">
                {checkedAt === null
                  ? t('admin.ledger.notChecked')
                  : t('admin.ledger.checkedAt', { time: moment(checkedAt) })}
              </p>
              {isLate ? <p className="text-danger">{t('admin.ledger.late')}</p> : null}
              {checkedAt === null && found.drift.length === 0 ? null : <Drift {...found} />}
            </Part>
            <OnDemand<LedgerCheck>
              title={t('admin.ledger.whole')}
              note={t('admin.ledger.wholeNote')}
              button={t('admin.ledger.check')}
              path="ledger/check"
            >
              {(check) => <Drift {...check} />}
            </OnDemand>
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
      <AccountingTerms of="ledger" />
    </Screen>
  );
}

function Drift({ drift, hasMore }: LedgerCheck) {
  const { t } = useTranslation('admin');
  const word = useWords();
  if (drift.length === 0 && !hasMore) return <p className="text-success">{t('admin.ledger.noDrift')}</p>;
  return (
    <>
      <p className="text-danger">{t('admin.ledger.hasDrift')}</p>
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
            cell: ({ detail }) => <code className="break-all text-sm">{JSON.stringify(detail)}</code>,
          },
        ]}
      />
      {hasMore ? <p className="text-danger">{t('admin.ledger.hasMore')}</p> : null}
    </>
  );
}
