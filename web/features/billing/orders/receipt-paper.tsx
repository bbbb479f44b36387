import { brand } from 'virtual:site';
import { Printer } from 'lucide-react';
import type { Receipt } from '#contract/billing.ts';
import { brandName } from '#contract/brand.ts';
import { PROVIDER_NAME } from '#contract/choices.ts';
import { formatDay, formatMoney } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { MarkedName, StandingMark } from '#web/ui/mark.tsx';
import { ChargeTable } from './charge-table.tsx';
import { ReceiptDetails } from './receipt-details.tsx';

/** One order with everything that was charged for it: a receipt, made to be printed, once it is paid; until then its details. */
export function ReceiptPaper({ receipt: { order, charges }, email }: { receipt: Receipt; email: string }) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const isPaid = order.paidAt !== null;
  const isAlone = charges.length === 1 && order.uncredited === null;
  const only = isAlone && charges[0]?.refundedMinor === 0 ? charges[0] : null;
  return (
    <article
      aria-labelledby="receipt"
      className="max-w-2xl rounded-card border border-line bg-raised p-5 sm:p-12 print:max-w-none print:border-0 print:bg-transparent print:p-0"
    >
      <p className="mb-8 flex items-center gap-2.5">
        <StandingMark />
        <MarkedName className="text-xl">{brandName(brand, language)}</MarkedName>
      </p>
      <div className="mb-8 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 border-ink border-b-2 pb-4">
        <h1 id="receipt" className="headline text-4xl sm:text-5xl">
          {t(isPaid ? 'orders.receiptTitle' : 'orders.detailsTitle')}
        </h1>
        {only ? (
          <p className="flex items-baseline gap-3 tabular-nums max-sm:w-full max-sm:justify-between">
            <span className="text-soft">{formatDay(language, only.paidAt)}</span>
            <span className="text-lg">{formatMoney(language, only.amountMinor, only.currency)}</span>
          </p>
        ) : null}
      </div>
      <ReceiptDetails order={order} email={email} isCharged={charges.length > 0} />
      {order.uncredited ? (
        <p className="not-last:mb-8">{t('orders.uncredited', { reference: order.uncredited })}</p>
      ) : null}
      <ChargeTable charges={charges} />
      {isPaid ? (
        <>
          <p className="mt-6 mb-8 text-soft text-sm">
            {t('orders.note', { provider: PROVIDER_NAME[order.provider], email: brand.supportEmail })}
          </p>
          <Button variant="secondary" onClick={() => window.print()} className="print:hidden">
            <Printer aria-hidden size={18} strokeWidth={1.5} />
            {t('orders.print')}
          </Button>
        </>
      ) : null}
    </article>
  );
}
