import { plans } from 'virtual:plans';
import { HIGHLIGHTED_PLAN } from '#contract/choices.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useOffer } from '#web/features/billing/checkout/use-offer.ts';
import { useReturnedOrder } from '#web/features/billing/orders/use-awaited-order.ts';
import { BuyButton } from '#web/features/billing/plans/buy-button.tsx';
import { PlanCards } from '#web/features/catalogue/plan-cards.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { BackLink } from '../account/account-section.tsx';
import { PaymentSettings } from './payment-settings.tsx';
import { SubscriptionState } from './subscription-state.tsx';

const PAID_PLANS = plans.filter(({ key }) => key !== null);

export default function SubscriptionPage() {
  const { t } = useTranslation('common');
  const session = useSession();
  return (
    <div className="min-w-0">
      <PageHead page="subscription" />
      {session.state === 'signed-out' ? null : (
        <div className={session.state === 'signed-in' ? undefined : 'for-readers'}>
          <BackLink to="/profile/billing">{t('accountPages.profile/billing')}</BackLink>
        </div>
      )}
      <h1 className="headline mb-8 text-4xl">{t('subscription.title')}</h1>
      <section aria-labelledby="status" className="mb-16">
        <SubscriptionState session={session} />
      </section>
      <PaidPlans isMember={session.state === 'signed-in'} />
      <aside aria-labelledby="notes" className="mt-10 max-w-prose rounded-card bg-sunken p-6">
        <h2 id="notes" className="mb-1 font-medium">
          {t('subscription.notesTitle')}
        </h2>
        <p className="text-soft">{t('subscription.notes')}</p>
      </aside>
    </div>
  );
}

/** To a visitor the one thing to do is to sign in, above the plans. */
function PaidPlans({ isMember }: { isMember: boolean }) {
  const { t } = useTranslation('common');
  const { left } = useReturnedOrder(isMember);
  const offer = useOffer(left);
  const { billing, choice } = offer;
  const held = billing.state === 'known' && billing.status.active ? billing.status.planKey : null;
  return (
    <section aria-labelledby="plans">
      <h2 id="plans" className="headline mb-4 text-2xl">
        {t('subscription.plansTitle')}
      </h2>
      <h3 className="mb-3 font-medium">{t('subscription.settingsTitle')}</h3>
      <PaymentSettings offer={offer} />
      <PlanCards
        cycle={choice.cycle}
        plans={PAID_PLANS}
        headingLevel="h3"
        renderBadge={({ key }, place) =>
          held !== null && key === held
            ? t('pricing.current')
            : t(place === 1 ? 'subscription.popular' : 'subscription.standard')
        }
        renderAction={({ key }) =>
          key === null ? null : (
            <BuyButton
              plan={key}
              offer={offer}
              label={t('subscription.pay')}
              fixed
              busyLabel={t('subscription.creatingCheckout')}
              primary={isMember && key === HIGHLIGHTED_PLAN && held === null}
            />
          )
        }
      />
    </section>
  );
}
