import type { Charge } from '#contract/billing.ts';
import { formatDay, formatMoney } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';

/** What was charged for an order, when, for which period, and what was given back; nothing without a charge. */
export function ChargeTable({ charges }: { charges: readonly Charge[] }) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const currency = charges[0]?.currency;
  if (!currency) return null;
  const paid = charges.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const refunded = charges.reduce((sum, { refundedMinor }) => sum + refundedMinor, 0);
  return (
    <>
      <h2 className="mb-3 font-semibold text-lg">{t('orders.charges')}</h2>
      <ul className="border-line border-t">
        {charges.map((charge) => (
          <ChargeRow key={charge.transactionId} charge={charge} />
        ))}
      </ul>
      <p className="flex justify-between gap-4 pt-4 font-medium tabular-nums">
        <span>{t(refunded > 0 ? 'orders.totalKept' : 'orders.totalPaid')}</span>
        <span>{formatMoney(language, paid - refunded, currency)}</span>
      </p>
    </>
  );
}

function ChargeRow({ charge }: { charge: Charge }) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const dayOf = (time: number) => formatDay(language, time);
  const { amountMinor, refundedMinor, currency, disputed, credits } = charge;
  return (
    <li className="break-inside-avoid border-line border-b py-4 tabular-nums">
      <p className="flex justify-between gap-4">
        <span>{dayOf(charge.paidAt)}</span>
        <span>{formatMoney(language, amountMinor, currency)}</span>
      </p>
      {refundedMinor > 0 ? (
        <p className="text-right text-soft text-sm">
          {t('orders.refunded', { amount: formatMoney(language, refundedMinor, currency) })}
        </p>
      ) : null}
      {disputed ? <p className="text-right text-sm text-warning">{t('orders.disputed')}</p> : null}
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-soft text-sm">
        <dt>{t('orders.period')}</dt>
        <dd>
          {dayOf(charge.periodStart)} – {dayOf(charge.periodEnd)}
        </dd>
        <dt>{t('orders.granted')}</dt>
        <dd>{credits > 0 ? t('credits.amount', { amount: credits }) : t('orders.grantedNothing')}</dd>
        <dt>{t('orders.transaction')}</dt>
        <dd className="break-all">{charge.transactionId}</dd>
      </dl>
    </li>
  );
}
