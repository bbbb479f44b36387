import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Order } from '#contract/billing.ts';
import { orderNumber } from '#contract/order-number.ts';
import { formatDay } from '#i18n/formats.ts';
import { formatCharge } from '#web/features/catalogue/plan-price.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button, Spinner } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { planName } from '../plan-status/plan-status-note.ts';
import { ordersQuery } from './order-query.ts';
import { orderStatusText } from './order-status.ts';

const CELL = 'py-4 not-last:pr-6 align-baseline';

/** Every purchase of the reader, newest first. */
export function OrderList() {
  const { t } = useTranslation('common');
  const query = useInfiniteQuery(ordersQuery);
  const orders = query.data?.pages.flatMap((page) => page.orders);
  return (
    <>
      {query.isPending ? <Spinner /> : null}
      {query.isError ? <Failed onRetry={() => void query.refetch()} /> : null}
      {orders?.length === 0 ? <Empty /> : null}
      {orders && orders.length > 0 ? <OrderTable orders={orders} /> : null}
      {query.hasNextPage ? (
        <Button
          variant="secondary"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
          className="mt-6"
        >
          {t('orders.more')}
        </Button>
      ) : null}
    </>
  );
}

function OrderTable({ orders }: { orders: readonly Order[] }) {
  const { t } = useTranslation('common');
  return (
    <table className="w-full text-left">
      <thead className="border-line border-b text-soft text-sm">
        <tr>
          <th className={`${CELL} font-normal max-sm:hidden`}>{t('orders.date')}</th>
          <th className={`${CELL} font-normal`}>{t('orders.what')}</th>
          <th className={`${CELL} font-normal max-sm:hidden`}>{t('orders.statusName')}</th>
          <th className={`${CELL} text-right font-normal`}>{t('orders.price')}</th>
          <th className={`${CELL} font-normal`}>
            <span className="sr-only">{t('orders.receipt')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </tbody>
    </table>
  );
}

function OrderRow({ order }: { order: Order }) {
  const { t, i18n } = useTranslation('common');
  const pathTo = useLocalPath();
  const { language } = i18n;
  const name = planName(t, language, order);
  const paper = t(order.paidAt === null ? 'orders.details' : 'orders.receipt');
  // Its price and its Credits are on its own page: here they would read like those of a paid one.
  const isUncharged =
    order.uncredited === null && (order.status === 'abandoned' || order.status === 'failed');
  const time = (
    <time dateTime={new Date(order.createdAt).toISOString()} className="whitespace-nowrap">
      {formatDay(language, order.createdAt)}
    </time>
  );
  return (
    <tr className="border-line border-b">
      <td className={`${CELL} whitespace-nowrap text-soft tabular-nums max-sm:hidden`}>{time}</td>
      <th scope="row" className={`${CELL} font-normal`}>
        <span className="font-medium">{name}</span>
        {isUncharged ? null : (
          <span className="block text-soft text-sm tabular-nums">
            {t('credits.amount', { amount: order.credits })}
          </span>
        )}
        <span className="block whitespace-nowrap text-soft text-sm tabular-nums">{orderNumber(order)}</span>
        {order.uncredited ? (
          <span className="block text-sm">{t('orders.uncredited', { reference: order.uncredited })}</span>
        ) : null}
        <span className="block text-soft text-sm tabular-nums sm:hidden">
          {time}
          <span className="block">{orderStatusText(t, order)}</span>
        </span>
      </th>
      <td className={`${CELL} text-sm max-sm:hidden`}>{orderStatusText(t, order)}</td>
      <td className={`${CELL} whitespace-nowrap text-right tabular-nums`}>
        {isUncharged ? <span className="text-soft">—</span> : formatCharge(language, order.priceUSD)}
      </td>
      <td className={`${CELL} whitespace-nowrap text-right`}>
        <Link
          to={`${pathTo('orders')}/${order.id}`}
          aria-label={`${paper}, ${name}`}
          className="inline-flex min-h-11 items-center underline underline-offset-4"
        >
          {paper}
        </Link>
      </td>
    </tr>
  );
}

function Empty() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-soft">{t('orders.empty')}</p>
      <Link to={pathTo('pricing')} className={buttonStyle()}>
        {t('orders.toPricing')}
      </Link>
    </div>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('common');
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <p>{t('orders.loadFailed')}</p>
      <Button variant="secondary" onClick={onRetry}>
        {t('orders.retry')}
      </Button>
    </div>
  );
}
