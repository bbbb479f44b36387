import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Order } from '#contract/billing.ts';
import type { Language } from '#contract/choices.ts';
import { readChatPlace } from '#web/lib/chat-place.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { pathInLanguage } from '#web/lib/language.ts';
import type { TextKey, Translate } from '#web/lib/translate.ts';
import { useLanguage, useLocalPath } from '#web/lib/use-language.ts';
import { Button, Spinner } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { useBilling } from '../checkout/use-billing.ts';
import { useCheckout } from '../checkout/use-checkout.ts';
import { planName, titleOf, uncreditedText } from '../plan-status/plan-status-note.ts';
import { orderPriceText } from './order-status.ts';
import { isNews, isUnpaid, useAwaitedOrder, useNamedOrderId } from './use-awaited-order.ts';

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
  const { order, slow } = useAwaitedOrder(orderId);
  const billing = useBilling();
  const isBlocked = billing.state === 'known' && billing.status.checkoutBlocked !== null;
  const [since] = useState(() => Date.now());
  if (!order || !isNews(order, since)) return null;
  return (
    <section aria-labelledby="outcome" className="speech mb-12 sm:w-fit sm:min-w-[min(100%,36rem)]">
      <div role="status">
        <h2 id="outcome" className="headline mb-2 text-3xl">
          {order.status === 'open' && !order.uncredited ? (
            <span className="mr-3 text-soft">
              <Spinner />
            </span>
          ) : null}
          {t(order.uncredited ? 'subscription.uncreditedTitle' : TITLE[order.status])}
        </h2>
        <p className="max-w-prose text-soft">{outcomeText(t, i18n.language, order, { slow, isBlocked })}</p>
      </div>
      <div className="mt-6 flex flex-wrap gap-x-3 gap-y-2 max-sm:[&>:first-child]:w-full">
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

function OutcomeLinks({ order }: { order: Order }): ReactNode {
  const { t } = useTranslation('common');
  const language = useLanguage();
  const pathTo = useLocalPath();
  const place = readChatPlace();
  const chat = place ? pathInLanguage({ pathname: place, search: '', hash: '' }, language) : pathTo('chat');
  const receipt = `${pathTo('orders')}/${order.id}`;
  if (isUnpaid(order)) {
    return (
      <>
        <PayAgain order={order} />
        <a href="#plans" className={buttonStyle('secondary')}>
          {t('subscription.returnOther')}
        </a>
      </>
    );
  }
  const isPaid = order.status === 'paid';
  return (
    <>
      <Link to={chat} className={buttonStyle(isPaid ? 'primary' : 'secondary')}>
        {t('subscription.returnChat')}
      </Link>
      {order.status === 'open' ? null : (
        <Link to={receipt} className={buttonStyle(isPaid ? 'quiet' : 'secondary')}>
          {t('subscription.returnReceipt')}
        </Link>
      )}
      {isPaid ? <Forget /> : null}
    </>
  );
}

/** What the address says beside the order that its reader came back from, and what the provider adds to that. */
const CHOICES = ['plan', 'cycle', 'provider'];

/** Takes the order out of the address: it was read. */
function Forget() {
  const { t } = useTranslation('common');
  const [, setSearch] = useSearchParams();
  const forget = (before: URLSearchParams) =>
    new URLSearchParams([...before].filter(([name]) => CHOICES.includes(name)));
  return (
    <Button variant="quiet" onClick={() => setSearch(forget, { replace: true, preventScrollReset: true })}>
      {t('subscription.returnSeen')}
    </Button>
  );
}

/** The same thing once more: after it was left, by its name and price, else with another card. */
function PayAgain({ order }: { order: Order }) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const { creating, buy } = useCheckout(order.planKey, order);
  return (
    <Button busy={creating} onClick={() => void buy()}>
      {order.status === 'failed'
        ? t('subscription.returnRetry')
        : t('subscription.returnAgain', {
            what: planName(t, language, order),
            amount: orderPriceText(language, order),
          })}
    </Button>
  );
}
