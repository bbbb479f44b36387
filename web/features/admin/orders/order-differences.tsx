import type { DifferencesScreen } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { OrderLink, UserLink } from '../show/links.tsx';
import { Nothing } from '../show/nothing.tsx';
import { OnDemand } from '../show/on-demand.tsx';
import { Records } from '../show/records.tsx';
import { ShortId } from '../show/short-id.tsx';
import { StateTag } from '../show/state-tag.tsx';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';
import { FactText } from './order-comparison.tsx';

/** What providers reported and does not act, of all users and of no known one. */
export function OrderDifferences() {
  const { t } = useTranslation('admin');
  return (
    <OnDemand<DifferencesScreen>
      title={t('admin.differences.title')}
      note={t('admin.differences.note')}
      button={t('admin.differences.find')}
      path="orders/differences"
    >
      {({ setAside, hasMore, unattributed }) => (
        <>
          <SetAside rows={setAside} />
          {unattributed.length > 0 ? <Unattributed rows={unattributed} /> : null}
          {hasMore ? <p className="text-soft">{t('admin.differences.hasMore')}</p> : null}
        </>
      )}
    </OnDemand>
  );
}

function SetAside({ rows }: { rows: DifferencesScreen['setAside'] }) {
  const { t } = useTranslation('admin');
  const word = useWords();
  return (
    <Records
      label={t('admin.differences.title')}
      rows={rows}
      keyOf={({ userId, provider, subject, reason, orderId }) =>
        [userId, provider, subject, reason, orderId].join(' ')
      }
      empty={t('admin.differences.none')}
      columns={[
        { name: t('admin.column.number'), cell: ({ subject }) => <ShortId id={subject} /> },
        {
          name: t('admin.column.provider'),
          kind: 'short',
          cell: ({ provider }) => word('provider', provider),
        },
        {
          name: t('admin.column.user'),
          cell: ({ userId, email }) => <UserLink id={userId} email={email} />,
        },
        {
          name: t('admin.column.order'),
          kind: 'short',
          cell: ({ orderId }) => (orderId ? <OrderLink id={orderId} /> : t('admin.orders.noOrder')),
        },
        { name: t('admin.column.why'), cell: ({ reason }) => word('setAside', reason) },
        {
          name: t('admin.differences.charge'),
          kind: 'short',
          cell: ({ charge }) =>
            charge ? <StateTag state={charge} word={word('setAsideCharge', charge)} /> : <Nothing />,
        },
      ]}
    />
  );
}

function Unattributed({ rows }: { rows: DifferencesScreen['unattributed'] }) {
  const { t } = useTranslation('admin');
  const word = useWords();
  return (
    <>
      <h3 className="mt-3 font-semibold">{t('admin.differences.unattributed')}</h3>
      <Records
        label={t('admin.differences.unattributed')}
        rows={rows}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          { name: t('admin.column.number'), cell: ({ subject }) => <ShortId id={subject} /> },
          {
            name: t('admin.column.provider'),
            kind: 'short',
            cell: ({ provider }) => word('provider', provider),
          },
          { name: t('admin.column.kind'), kind: 'short', cell: ({ kind }) => word('fact', kind) },
          {
            name: t('admin.column.what'),
            cell: (fact) => (
              <FactText fact={fact} currency={null}>
                {fact.isAmbiguous ? t('admin.differences.ambiguous') : null}
              </FactText>
            ),
          },
          { name: t('admin.column.found'), kind: 'short', cell: ({ foundAt }) => <When at={foundAt} /> },
        ]}
      />
    </>
  );
}
