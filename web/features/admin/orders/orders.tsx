import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { OrdersScreen as Orders } from '#contract/admin/screens.ts';
import { orderStatusSchema } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { Choice } from '../show/choice.tsx';
import { Pages } from '../show/pages.tsx';
import { Loaded, Part, Screen } from '../show/screen.tsx';
import { useWords } from '../show/use-words.ts';
import { OrderDifferences } from './order-differences.tsx';
import { OrderRecords } from './order-records.tsx';
import { Uncredited } from './uncredited.tsx';

/** What was paid and grants nothing, what else does not agree, then all orders. */
export function OrdersScreen() {
  const { t } = useTranslation('admin');
  const word = useWords();
  const status = useSearchParams()[0].get('status') ?? '';
  const first = useQuery(screenQuery<Orders>('orders'));
  return (
    <Screen title={t('admin.screen.orders')} lead={t('admin.orders.lead')}>
      <Part title={t('admin.orders.uncredited')}>
        <Loaded query={first}>{({ uncredited }) => <Uncredited charges={uncredited} />}</Loaded>
      </Part>
      <OrderDifferences />
      <Part title={t('admin.orders.all')}>
        <Choice
          name="status"
          label={t('admin.column.state')}
          options={[
            { value: '', label: t('admin.everything') },
            ...orderStatusSchema.options.map((value) => ({ value, label: word('order', value) })),
          ]}
        />
        <Pages<Orders> path="orders" filter={{ status }}>
          {(pages) => (
            <OrderRecords
              hasUser
              orders={pages.flatMap(({ orders }) => orders)}
              empty={t('admin.orders.none')}
            />
          )}
        </Pages>
      </Part>
    </Screen>
  );
}
