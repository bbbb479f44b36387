import { useState } from 'react';
import type { Order } from '#contract/billing.ts';
import type { Language } from '#contract/choices.ts';
import { formatCharge } from '#web/features/catalogue/plan-price.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey, Translate } from '#web/lib/translate.ts';
import { Spinner } from '#web/ui/button.tsx';
import { useBilling } from '../checkout/use-billing.ts';
import { planName, titleOf, uncreditedText } from '../plan-status/plan-status-note.ts';
import { OutcomeLinks } from './outcome-links.tsx';
import { isNews, useAwaitedOrder, useNamedOrderId } from './use-awaited-order.ts';

const TITLE: Record<Order['status'], TextKey> = {
  open: 'subscription.returnConfirmTitle',
  paid: 'subscription.returnPaidTitle',
  failed: 'subscription.returnFailedTitle',
  abandoned: 'subscription.returnAbandonedTitle',
  refunded: 'subscription.returnRefundedTitle',
  disputed: 'subscription.returnDisputedTitle',
};

/** What became of the order that the address names; nothing where it names none of the reader's. */
export function ReturnedFrom() {
  const orderId = useNamedOrderId();
  return orderId ? <OrderOutcome key={orderId} orderId={orderId} /> : null;
}

function OrderOutcome({ orderId }: { orderId: string }) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const { order, slow } = useAwaitedOrder(orderId);
  const billing = useBilling();
  const isBlocked = billing.state === 'known' && billing.status.checkoutBlocked !== null;
  const [since] = useState(() => Date.now());
  if (!order || !isNews(order, since)) return null;
  const isAwaited = order.status === 'open' && !order.uncredited;
  return (
    <section aria-labelledby="outcome" className="speech mb-12 sm:w-fit sm:min-w-[min(100%,36rem)]">
      <div role="status">
        <h2 id="outcome" className="headline mb-2 text-3xl">
          {isAwaited ? (
            <span className="mr-3 text-soft">
              <Spinner />
            </span>
          ) : null}
          {t(order.uncredited ? 'subscription.uncreditedTitle' : TITLE[order.status])}
        </h2>
        {isAwaited ? (
          <p className="mb-1">
            {t('subscription.returnOrder', {
              what: planName(t, language, order),
              amount: formatCharge(language, order.priceUSD),
            })}
          </p>
        ) : null}
        <p className="max-w-prose text-soft">{outcomeText(t, language, order, { slow, isBlocked })}</p>
      </div>
      <div className="mt-6 flex flex-wrap gap-x-3 gap-y-2 max-sm:*:w-full">
        <OutcomeLinks order={order} />
      </div>
    </section>
  );
}

function outcomeText(
  t: Translate,
  language: Language,
  order: Order,
  { slow, isBlocked }: { slow: boolean; isBlocked: boolean },
): string {
  if (order.uncredited)
    return uncreditedText(t, { reference: order.uncredited, provider: order.provider }, isBlocked);
  switch (order.status) {
    case 'open':
      return t(slow ? 'subscription.returnSlowText' : 'subscription.returnConfirmText');
    case 'paid':
      return t('subscription.returnPaidText', {
        plan: titleOf(order.planKey, language),
        cycle: t(`subscription.cycle.${order.cycle}`),
        credits: order.credits,
      });
    case 'failed':
      return t('subscription.returnDeclined');
    case 'abandoned':
      return t('subscription.returnNothing');
    default:
      return t('subscription.returnSeeReceipt');
  }
}
