import { useSearchParams } from 'react-router';
import type { OrdersScreen as Orders } from '#contract/admin/screens.ts';
import { orderStatusSchema } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Choice } from '../show/choice.tsx';
import { Pages } from '../show/pages.tsx';
import { Part, Screen } from '../show/screen.tsx';
import { useWords } from '../show/use-words.ts';
import { OrderDifferences } from './order-differences.tsx';
import { OrderRecords } from './order-records.tsx';
import { Uncredited } from './uncredited.tsx';

/** What was paid and grants nothing, what else does not agree, then all orders. */
export function OrdersScreen() {
  const { t } = useTranslation('admin');
  const word = useWords();
  const status = useSearchParams()[0].get('status') ?? '';
  return (
    <Screen title={t('admin.screen.orders')} lead={t('admin.orders.lead')}>
      <Pages<Orders> path="orders" filter={{ status }}>
        {(pages) => (
          <>
            <Part title={t('admin.orders.uncredited')}>
              <Uncredited charges={pages[0]?.uncredited ?? []} />
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
              <OrderRecords
                hasUser
                orders={pages.flatMap(({ orders }) => orders)}
                empty={t('admin.orders.none')}
              />
            </Part>
          </>
        )}
      </Pages>
    </Screen>
  );
}
