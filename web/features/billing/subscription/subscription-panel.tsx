import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import type { BillingStatus } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Spinner } from '#web/ui/button.tsx';
import { RichText } from '#web/ui/text/rich-text.tsx';
import { useBilling } from '../checkout/use-billing.ts';
import { ReturnedFrom } from '../orders/order-outcome.tsx';
import { useOpenPortal } from './change-subscription.ts';
import { HeldList } from './held-subscription.tsx';
import { BlockedNote, UncreditedNotes, WishNote } from './status-notices.tsx';
import { StatusPanel } from './status-panel.tsx';

interface SubscriptionPanelProps {
  user: UserRecord;
  /** Where the plans are, where they are not on the same page. */
  plans?: string | undefined;
}

/** What the reader has, and what can be done about it. */
export function SubscriptionPanel({ user, plans }: SubscriptionPanelProps) {
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
      <Papers plans={plans} portal={status && status.subscriptions.length > 0 ? status.portal : null} />
    </div>
  );
}

const ROW =
  'flex min-h-12 w-full items-center justify-between gap-3 py-2 text-left hover:text-soft disabled:opacity-60';

/** The ways to plans, cards, receipts and the statement. */
function Papers({ plans, portal }: { plans: string | undefined; portal: BillingStatus['portal'] }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const openPortal = useOpenPortal();
  const toProfile = (text: string) => (
    <Link to="/profile/details#email" className="text-ink underline underline-offset-4">
      {text}
    </Link>
  );
  return (
    <>
      <ul className="divide-y divide-line border-line border-y">
        {plans ? <RowLink to={plans}>{t('accountPages.plans')}</RowLink> : null}
        {portal === 'provider' ? (
          <li>
            <button
              type="button"
              className={ROW}
              disabled={openPortal.busy}
              aria-busy={openPortal.busy || undefined}
              onClick={() => void openPortal.run()}
            >
              {t('subscription.manage')}
              {openPortal.busy ? <Spinner /> : <RowArrow />}
            </button>
          </li>
        ) : null}
        <RowLink to={pathTo('orders')}>{t('subscription.orders')}</RowLink>
        <RowLink to={pathTo('credits')}>{t('subscription.statement')}</RowLink>
      </ul>
      {portal === 'unproved' ? (
        <p className="max-w-prose text-soft">
          <RichText text={t('subscription.manageUnproved')} parts={{ profile: toProfile }} />
        </p>
      ) : null}
      {portal === 'in_app' ? <p className="max-w-prose text-soft">{t('subscription.manageInApp')}</p> : null}
    </>
  );
}

function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <Link to={to} className={ROW}>
        {children}
        <RowArrow />
      </Link>
    </li>
  );
}

function RowArrow() {
  return <ChevronRight aria-hidden size={18} strokeWidth={1.5} className="shrink-0 text-soft" />;
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
