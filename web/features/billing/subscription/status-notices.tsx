import { brand } from 'virtual:site';
import { useSearchParams } from 'react-router';
import type { BillingStatus } from '#contract/billing.ts';
import { formatDay } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { useCheckout } from '../checkout/use-checkout.ts';
import { planName, priceText, uncreditedText } from '../plan-status/plan-status-note.ts';

/** Payments that arrived and were not credited, each with the reference by which support finds it. The return page of an order shows its own. */
export function UncreditedNotes({
  uncredited,
  checkoutBlocked,
}: Pick<BillingStatus, 'uncredited' | 'checkoutBlocked'>) {
  const { t } = useTranslation('common');
  const [query] = useSearchParams();
  if (uncredited.length === 1 && query.has('order')) return null;
  return uncredited.map(({ reference, provider }) => (
    <p key={reference} role="alert" className="max-w-prose border-warning border-l-2 pl-4">
      {uncreditedText(t, { reference, provider }, checkoutBlocked !== null)}
    </p>
  ));
}

/** That nothing can be bought while a dispute is open, and whom to ask. */
export function BlockedNote() {
  const { t } = useTranslation('common');
  return (
    <p className="max-w-prose border-warning border-l-2 pl-4">
      {t('subscription.blocked', { email: brand.supportEmail })}
    </p>
  );
}

/** The lower plan that follows what runs, and the way to pay for it once that is possible. */
export function WishNote({
  wish,
  provider,
}: {
  wish: NonNullable<BillingStatus['wish']>;
  provider: NonNullable<BillingStatus['provider']>;
}) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const { creating, buy } = useCheckout(wish.planKey, { cycle: wish.cycle, provider });
  const words = {
    next: planName(t, language, wish),
    amount: priceText(language, wish),
    date: formatDay(language, wish.until),
    opens: formatDay(language, wish.from),
  };
  return (
    <div className="flex flex-col items-start gap-3 border-line border-l-2 pl-4">
      <p className="max-w-prose">{t(wish.open ? 'subscription.wishOpen' : 'subscription.wish', words)}</p>
      {wish.open ? (
        <Button busy={creating} onClick={() => void buy()}>
          {t('subscription.wishPay', words)}
        </Button>
      ) : null}
    </div>
  );
}
