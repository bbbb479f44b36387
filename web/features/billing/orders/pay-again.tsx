import type { Order } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { useCheckout } from '../checkout/use-checkout.ts';

/** The same thing once more, with another card. */
export function PayAgain({ order }: { order: Order }) {
  const { t } = useTranslation('common');
  const { creating, buy } = useCheckout(order.planKey, order);
  return (
    <Button busy={creating} onClick={() => void buy()}>
      {t('subscription.returnRetry')}
    </Button>
  );
}
