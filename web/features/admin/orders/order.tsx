import { useQuery } from '@tanstack/react-query';
import type { ComparisonScreen } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { Facts } from '../show/facts.tsx';
import { UserLink } from '../show/links.tsx';
import { Loaded, Screen } from '../show/screen.tsx';
import { ShortId } from '../show/short-id.tsx';
import { StateTag } from '../show/state-tag.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';
import { Answered, Differences } from './order-comparison.tsx';

/** One order: what its provider says now, beside what we have. */
export function OrderScreen({ orderId }: { orderId: string }) {
  const { t } = useTranslation('admin');
  const query = useQuery({
    ...screenQuery<ComparisonScreen>(`orders/${orderId}/comparison`),
    // The provider is asked each time.
    retry: false,
    refetchOnWindowFocus: false,
  });
  const number = query.data?.order.number;
  return (
    <Screen
      title={number ? t('admin.order.named', { number }) : t('admin.screen.orders')}
      lead={t('admin.order.lead')}
    >
      <Loaded query={query}>{(comparison) => <Comparison comparison={comparison} />}</Loaded>
    </Screen>
  );
}

function Comparison({ comparison: { order, answered, differences } }: { comparison: ComparisonScreen }) {
  const { t } = useTranslation('admin');
  const { money } = useFormat();
  const word = useWords();
  return (
    <>
      <Facts
        items={[
          [t('admin.column.number'), <ShortId key="number" id={order.number} />],
          [t('admin.column.user'), <UserLink key="user" id={order.userId} email={order.email} />],
          [
            t('admin.column.what'),
            t('admin.planCycle', { plan: word('plan', order.plan), cycle: word('cycle', order.cycle) }),
          ],
          [t('admin.column.price'), money(order.price)],
          [t('admin.column.provider'), word('provider', order.provider)],
          [
            t('admin.column.state'),
            <StateTag key="state" state={order.status} word={word('order', order.status)} />,
          ],
          [t('admin.column.placed'), <When key="placed" at={order.createdAt} />],
          [t('admin.column.paidAt'), <When key="paid" at={order.paidAt} />],
        ]}
      />
      <Differences order={order} differences={differences} />
      <Answered order={order} answered={answered} />
    </>
  );
}
