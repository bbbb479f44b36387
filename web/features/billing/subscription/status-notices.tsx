import { brand } from 'virtual:site';
import { useSearchParams } from 'react-router';
import type { BillingStatus } from '#contract/billing.ts';
import { formatDay } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
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
  const returned = query.get('order');
  if (returned !== null && uncredited.length === 1 && uncredited[0]?.orderId === returned) return null;
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

interface WishNoteProps extends Pick<BillingStatus, 'subscriptions'> {
  wish: NonNullable<BillingStatus['wish']>;
  provider: NonNullable<BillingStatus['provider']>;
}

/** The lower plan that follows what runs, and the way to pay for it once that is possible. */
export function WishNote({ wish, provider, subscriptions }: WishNoteProps) {
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
      <p className="max-w-prose">{t(wishKey(wish, subscriptions, Date.now()), words)}</p>
      {wish.open ? (
        <Button busy={creating} onClick={() => void buy()}>
          {t('subscription.wishPay', words)}
        </Button>
      ) : null}
    </div>
  );
}

/** The text of a wish at `now`; the way back is named only where its subscription has one. */
function wishKey(
  { open, until, orderId }: WishNoteProps['wish'],
  subscriptions: BillingStatus['subscriptions'],
  now: number,
): TextKey {
  if (until <= now) return 'subscription.wishLate';
  if (open) return 'subscription.wishOpen';
  const canResume = subscriptions.some((held) => held.orderId === orderId && held.canResume);
  return canResume ? 'subscription.wish' : 'subscription.wishFinal';
}
