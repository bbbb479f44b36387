import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Order } from '#contract/billing.ts';
import { formatCharge } from '#web/features/catalogue/plan-price.ts';
import { readChatPlace } from '#web/lib/chat-place.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { pathInLanguage } from '#web/lib/language.ts';
import { useLanguage, useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { useBilling } from '../checkout/use-billing.ts';
import { useCheckout } from '../checkout/use-checkout.ts';
import { planName } from '../plan-status/plan-status-note.ts';
import { isUnpaid } from './use-awaited-order.ts';

/** What is to be done next about an order that its reader came back from. */
export function OutcomeLinks({ order }: { order: Order }): ReactNode {
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
        <Link to={receipt} className={buttonStyle('secondary')}>
          {t('subscription.returnReceipt')}
        </Link>
      )}
      {isPaid ? <Forget /> : null}
    </>
  );
}

/** What the address says beside the order that its reader came back from, and what the provider adds to that. */
const CHOICES = ['plan', 'cycle', 'provider'];

/** Takes the order out of the address: it was read. The heading of what stays has the focus then. */
function Forget() {
  const { t } = useTranslation('common');
  const [, setSearch] = useSearchParams();
  const forget = (before: URLSearchParams) =>
    new URLSearchParams([...before].filter(([name]) => CHOICES.includes(name)));
  const act = () => {
    setSearch(forget, { replace: true, preventScrollReset: true });
    document.getElementById('status')?.focus({ preventScroll: true });
  };
  return (
    <Button variant="quiet" onClick={act}>
      {t('subscription.returnSeen')}
    </Button>
  );
}

/** The same thing once more: after it was left, by its name and price, else with another card. */
function PayAgain({ order }: { order: Order }) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const { creating, buy } = useCheckout(order.planKey, order);
  const billing = useBilling();
  // Its buyer agreed to pay a lower plan today where this was ordered while the one of now ran.
  const since = billing.state === 'known' ? billing.status.currentPeriodStart : null;
  const chargeNow = since !== null && since < order.createdAt;
  return (
    <Button busy={creating} onClick={() => void buy({ chargeNow })}>
      {order.status === 'failed'
        ? t('subscription.returnRetry')
        : t('subscription.returnAgain', {
            what: planName(t, language, order),
            amount: formatCharge(language, order.priceUSD),
          })}
    </Button>
  );
}
