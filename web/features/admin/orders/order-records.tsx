import type { OrderLine } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { OrderLink, UserLink } from '../show/links.tsx';
import { type Column, Records } from '../show/records.tsx';
import { StateTag } from '../show/state-tag.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';

interface OrderRecordsProps {
  orders: readonly OrderLine[];
  empty: string;
  /** Left out where all are of one user. */
  hasUser: boolean;
}

/** Orders, as they came. */
export function OrderRecords({ orders, empty, hasUser }: OrderRecordsProps) {
  const { t } = useTranslation('admin');
  const { money } = useFormat();
  const word = useWords();
  const user: Column<OrderLine> = {
    name: t('admin.column.user'),
    cell: ({ userId, email }) => <UserLink id={userId} email={email} />,
  };
  return (
    <Records
      label={t('admin.screen.orders')}
      rows={orders}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          name: t('admin.column.order'),
          kind: 'short',
          cell: ({ id }) => <OrderLink id={id} />,
        },
        ...(hasUser ? [user] : []),
        {
          name: t('admin.column.what'),
          kind: 'short',
          cell: ({ plan, cycle }) =>
            t('admin.planCycle', { plan: word('plan', plan), cycle: word('cycle', cycle) }),
        },
        { name: t('admin.column.price'), kind: 'number', cell: ({ price }) => money(price) },
        {
          name: t('admin.column.provider'),
          kind: 'short',
          cell: ({ provider }) => word('provider', provider),
        },
        {
          name: t('admin.column.state'),
          kind: 'short',
          cell: ({ status }) => <StateTag state={status} word={word('order', status)} />,
        },
        { name: t('admin.column.placed'), kind: 'short', cell: ({ createdAt }) => <When at={createdAt} /> },
        { name: t('admin.column.paidAt'), kind: 'short', cell: ({ paidAt }) => <When at={paidAt} /> },
      ]}
    />
  );
}
