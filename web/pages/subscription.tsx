import { plans } from 'virtual:plans';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Cycle } from '#contract/billing.ts';
import { type Session, useSession } from '#web/features/accounts/use-session.ts';
import { StatusPanel } from '#web/features/billing/status-panel.tsx';
import { CycleChoice } from '#web/features/catalogue/cycle-choice.tsx';
import { PlanCards } from '#web/features/catalogue/plan-cards.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { PageTitle } from './layout/page-title.tsx';
import { PurchaseNotice } from './layout/purchase-notice.tsx';

const PAID_PLANS = plans.filter(({ key }) => key !== null);

export default function SubscriptionPage() {
  const { t } = useTranslation('common');
  const [cycle, setCycle] = useState<Cycle>('annual');
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="subscription" />
      <PageTitle title={t('subscription.title')} />
      <section aria-labelledby="status" className="mb-16">
        <h2 id="status" className="mb-4 font-semibold text-lg">
          {t('subscription.statusTitle')}
        </h2>
        <Status session={useSession()} />
      </section>
      <section aria-labelledby="plans">
        <h2 id="plans" className="headline mb-6 text-3xl">
          {t('subscription.plansTitle')}
        </h2>
        <PurchaseNotice />
        <div className="my-6">
          <CycleChoice cycle={cycle} onChange={setCycle} />
        </div>
        <PlanCards
          cycle={cycle}
          plans={PAID_PLANS}
          headingLevel="h3"
          renderBadge={(place) => t(place === 1 ? 'subscription.popular' : 'subscription.standard')}
          renderAction={() => (
            <Button variant="secondary" disabled aria-describedby="purchase-notice" className="w-full">
              {t('subscription.pay')}
            </Button>
          )}
        />
      </section>
      <aside aria-labelledby="notes" className="mt-10 max-w-prose rounded-card bg-sunken p-6">
        <h2 id="notes" className="mb-1 font-medium">
          {t('subscription.notesTitle')}
        </h2>
        <p className="text-soft">{t('subscription.notes')}</p>
      </aside>
    </div>
  );
}

function Status({ session }: { session: Session }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  if (session.state === 'signed-in') return <StatusPanel user={session.user} />;
  if (session.state === 'loading') return <div className="min-h-40 rounded-card border border-line" />;
  if (session.state === 'unknown') return <p role="alert">{t('subscription.loadFailed')}</p>;
  return (
    <div className="flex min-h-40 flex-col items-start justify-center gap-4 rounded-card border border-line p-6">
      <p className="text-soft">{t('subscription.signedOutText')}</p>
      <Link
        to={`${pathTo('login')}?next=${encodeURIComponent(pathTo('subscription'))}`}
        className={buttonStyle()}
      >
        {t('subscription.signIn')}
      </Link>
    </div>
  );
}
