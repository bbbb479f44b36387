import { brand } from 'virtual:site';
import type { ReactNode } from 'react';
import type { Order } from '#contract/billing.ts';
import { brandName } from '#contract/brand.ts';
import { PROVIDER_NAME } from '#contract/choices.ts';
import { orderNumber } from '#contract/order-number.ts';
import { formatDay } from '#i18n/formats.ts';
import { formatCharge } from '#web/features/catalogue/plan-price.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { planName } from '../plan-status/plan-status-note.ts';
import { orderStatusText } from './order-status.ts';

interface ReceiptDetailsProps {
  order: Order;
  email: string;
  /** Beneath stands what was charged for it, and when. */
  isCharged: boolean;
}

/** What an order is and whose; for how much and when, where no charge says that. */
export function ReceiptDetails({ order, email, isCharged }: ReceiptDetailsProps) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const price = formatCharge(language, order.priceUSD);
  const name = planName(t, language, order);
  return (
    <dl className="grid not-last:mb-10 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-10 sm:gap-y-3">
      <Row name={t('orders.what')}>{name}</Row>
      {isCharged ? null : <Row name={t('orders.price')}>{price}</Row>}
      <Row name={t('orders.grants')}>{t('credits.amount', { amount: order.credits })}</Row>
      <Row name={t('orders.statusName')}>{orderStatusText(t, order)}</Row>
      {isCharged ? null : <Row name={t('orders.placed')}>{formatDay(language, order.createdAt)}</Row>}
      <Row name={t('orders.provider')}>{PROVIDER_NAME[order.provider]}</Row>
      <Row name={t('orders.buyer')}>{email}</Row>
      <Row name={t('orders.seller')}>
        {brandName(brand, language)} · {brand.supportEmail}
      </Row>
      <Row name={t('orders.number')}>{orderNumber(order)}</Row>
    </dl>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft max-sm:text-sm">{name}</dt>
      <dd className="break-words tabular-nums max-sm:mb-3">{children}</dd>
    </>
  );
}
