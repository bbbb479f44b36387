import type { OrdersScreen as Orders } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { OrderLink, UserLink } from '../show/links.tsx';
import { Nothing } from '../show/nothing.tsx';
import { Records } from '../show/records.tsx';
import { ShortId } from '../show/short-id.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';

/** Charges that were paid and grant nothing. */
export function Uncredited({ charges }: { charges: Orders['uncredited'] }) {
  const { t } = useTranslation('admin');
  const { money } = useFormat();
  const word = useWords();
  return (
    <Records
      label={t('admin.orders.uncredited')}
      rows={charges}
      keyOf={({ provider, transactionId }) => `${provider}:${transactionId}`}
      empty={t('admin.orders.noUncredited')}
      columns={[
        { name: t('admin.column.charge'), cell: ({ transactionId }) => <ShortId id={transactionId} /> },
        {
          name: t('admin.column.provider'),
          kind: 'short',
          cell: ({ provider }) => word('provider', provider),
        },
        {
          name: t('admin.column.user'),
          cell: ({ userId, email }) =>
            userId ? <UserLink id={userId} email={email} /> : t('admin.orders.noUser'),
        },
        {
          name: t('admin.column.order'),
          kind: 'short',
          cell: ({ orderId }) => (orderId ? <OrderLink id={orderId} /> : t('admin.orders.noOrder')),
        },
        { name: t('admin.column.why'), cell: ({ reason }) => word('setAside', reason) },
        {
          name: t('admin.column.paid'),
          kind: 'number',
          cell: ({ paid }) => (paid ? money(paid) : <Nothing />),
        },
        { name: t('admin.column.found'), kind: 'short', cell: ({ foundAt }) => <When at={foundAt} /> },
      ]}
    />
  );
}
