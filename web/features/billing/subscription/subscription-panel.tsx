import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import type { BillingStatus } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { RichText } from '#web/ui/text/rich-text.tsx';
import { useBilling } from '../checkout/use-billing.ts';
import { ReturnedFrom } from '../orders/order-outcome.tsx';
import { useOpenPortal } from './change-subscription.ts';
import { HeldList } from './held-subscription.tsx';
import { BlockedNote, UncreditedNotes, WishNote } from './status-notices.tsx';
import { StatusPanel } from './status-panel.tsx';

/** What the reader has, and what can be done about it. */
export function SubscriptionPanel({ user }: { user: UserRecord }) {
  const { t } = useTranslation('common');
  const billing = useBilling();
  const status = billing.state === 'known' ? billing.status : null;
  return (
    <div className="flex flex-col gap-6">
      <StatusPanel user={user} status={status} />
      {billing.state === 'unknown' ? <p role="alert">{t('subscription.billingFailed')}</p> : null}
      {status?.checkoutBlocked ? <BlockedNote /> : null}
      {status ? <UncreditedNotes {...status} /> : null}
      {status?.wish && status.provider ? (
        <WishNote wish={status.wish} provider={status.provider} subscriptions={status.subscriptions} />
      ) : null}
      {status && status.subscriptions.length > 0 ? <HeldList status={status} /> : null}
      <Papers portal={status && status.subscriptions.length > 0 ? status.portal : null} />
    </div>
  );
}

/** The ways to cards, receipts and the statement. */
function Papers({ portal }: { portal: BillingStatus['portal'] }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const openPortal = useOpenPortal();
  const toOrders = (text: string) => (
    <Link to={pathTo('orders')} className="text-ink underline underline-offset-4">
      {text}
    </Link>
  );
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {portal === 'provider' ? (
          <Button variant="secondary" busy={openPortal.busy} onClick={() => void openPortal.run()}>
            {t('subscription.manage')}
          </Button>
        ) : null}
        <Link to={pathTo('orders')} className={buttonStyle('secondary')}>
          {t('subscription.orders')}
        </Link>
        <Link to={pathTo('credits')} className={buttonStyle('secondary')}>
          {t('subscription.statement')}
        </Link>
      </div>
      {portal === 'in_app' ? (
        <p className="max-w-prose text-soft">
          <RichText text={t('subscription.manageInApp')} parts={{ orders: toOrders }} />
        </p>
      ) : null}
    </>
  );
}

/** What only who is signed in sees of the subscription page; `heading` stands above what they have. */
export function OwnSubscription({ user, heading }: { user: UserRecord; heading: ReactNode }) {
  return (
    <>
      <ReturnedFrom />
      {heading}
      <SubscriptionPanel user={user} />
    </>
  );
}
