import { plans } from 'virtual:plans';
import { useSearchParams } from 'react-router';
import { useSession } from '#web/features/accounts/use-session.ts';
import { BuyButton } from '#web/features/billing/buy-button.tsx';
import { useOffer } from '#web/features/billing/use-offer.ts';
import { PlanCards } from '#web/features/catalogue/plan-cards.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useModule } from '#web/lib/use-module.ts';
import { PageTitle } from './layout/page-title.tsx';
import { PaymentSettings } from './layout/payment-settings.tsx';
import { SubscriptionState } from './layout/subscription-state.tsx';

const PAID_PLANS = plans.filter(({ key }) => key !== null);
const ORDER_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const loadOutcome = () => import('#web/features/billing/order-outcome.tsx');

export default function SubscriptionPage() {
  const { t } = useTranslation('common');
  const session = useSession();
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="subscription" />
      <PageTitle title={t('subscription.title')} />
      {session.state === 'signed-in' ? <ReturnedFrom /> : null}
      <section aria-labelledby="status" className="mb-16">
        <h2 id="status" className="mb-4 font-semibold text-lg">
          {t('subscription.statusTitle')}
        </h2>
        <SubscriptionState session={session} />
      </section>
      <PaidPlans />
      <aside aria-labelledby="notes" className="mt-10 max-w-prose rounded-card bg-sunken p-6">
        <h2 id="notes" className="mb-1 font-medium">
          {t('subscription.notesTitle')}
        </h2>
        <p className="text-soft">{t('subscription.notes')}</p>
      </aside>
    </div>
  );
}

/** The address names the order that the reader comes back from. */
function ReturnedFrom() {
  const [search] = useSearchParams();
  const orderId = search.get('order') ?? '';
  const isReturn = useHydrated() && ORDER_ID.test(orderId);
  const outcome = useModule(isReturn, loadOutcome);
  return outcome && isReturn ? <outcome.OrderOutcome key={orderId} orderId={orderId} /> : null;
}

function PaidPlans() {
  const { t } = useTranslation('common');
  const offer = useOffer();
  const { billing, choice, checkout, standingOf } = offer;
  const { cycle, wanted } = choice;
  const hasPlan = billing.state === 'known' && billing.status.active;
  return (
    <section aria-labelledby="plans">
      <h2 id="plans" className="headline mb-6 text-3xl">
        {t('subscription.plansTitle')}
      </h2>
      <h3 className="mb-3 font-medium">{t('subscription.settingsTitle')}</h3>
      <PaymentSettings offer={offer} />
      <PlanCards
        cycle={cycle}
        plans={PAID_PLANS}
        headingLevel="h3"
        renderBadge={(_, place) => t(place === 1 ? 'subscription.popular' : 'subscription.standard')}
        renderAction={({ key }) =>
          key === null ? null : (
            <BuyButton
              plan={key}
              cycle={cycle}
              standing={standingOf(key)}
              label={t('subscription.pay')}
              busyLabel={t('subscription.creatingCheckout')}
              primary={key === 'gemini_pro' && !hasPlan}
              wanted={wanted === key}
              checkout={checkout}
            />
          )
        }
      />
    </section>
  );
}
