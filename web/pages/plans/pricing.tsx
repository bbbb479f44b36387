import { brand } from 'virtual:site';
import { Link } from 'react-router';
import { HIGHLIGHTED_PLAN } from '#contract/choices.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useOffer } from '#web/features/billing/checkout/use-offer.ts';
import { BuyButton } from '#web/features/billing/plans/buy-button.tsx';
import { PlanCards } from '#web/features/catalogue/plan-cards.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { PageTitle } from '../layout/page-title.tsx';
import { QuestionList } from '../layout/question-list.tsx';
import { FreeAction } from './free-action.tsx';
import { PaymentSettings } from './payment-settings.tsx';

const EXTRAS = ['files', 'search', 'images'] as const;
const QUESTIONS = ['cost', 'failure', 'expiry', 'cancel'] as const;

export default function PricingPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <div className="page py-12 sm:py-14">
      <PageHead page="pricing" />
      <PageTitle title={t('pricing.title')}>{t('pricing.lead')}</PageTitle>
      <Plans />
      <div className="mt-8 grid gap-x-12 gap-y-6 text-soft md:grid-cols-2">
        <div>
          <p className="font-semibold text-ink">{t('pricing.cancelTitle')}</p>
          <p>{t('pricing.cancelText')}</p>
        </div>
        <div>
          <p id="extras" className="font-semibold text-ink">
            {t('pricing.extrasTitle')}
          </p>
          <ul aria-labelledby="extras">
            {EXTRAS.map((extra) => (
              <li key={extra}>{t(`pricing.extras.${extra}`)}</li>
            ))}
          </ul>
          <p>{t('pricing.extras.total')}</p>
        </div>
      </div>
      <section aria-labelledby="pricing-faq" className="mt-20">
        <h2 id="pricing-faq" className="headline mb-8 text-3xl">
          {t('pricing.faqTitle')}
        </h2>
        <QuestionList questions={QUESTIONS} level="h3" />
        <Link to={pathTo('faq')} className="inline-flex min-h-11 items-center underline underline-offset-4">
          {t('pricing.faqLink')}
        </Link>
      </section>
      <section aria-labelledby="sales" className="mt-20 flex flex-col items-start gap-3">
        <h2 id="sales" className="headline text-3xl">
          {t('pricing.salesTitle')}
        </h2>
        <p className="max-w-prose text-soft">{t('pricing.salesText')}</p>
        <a href={`mailto:${brand.supportEmail}`} className={buttonStyle('secondary')}>
          {t('pricing.salesLink', { email: brand.supportEmail })}
        </a>
      </section>
    </div>
  );
}

function Plans() {
  const { t, i18n } = useTranslation('common');
  const { state } = useSession();
  const offer = useOffer();
  const { billing, choice } = offer;
  const status = billing.state === 'known' ? billing.status : null;
  const current = status?.active ? status.planKey : null;
  return (
    <>
      <PaymentSettings offer={offer} />
      <PlanCards
        cycle={choice.cycle}
        headingLevel="h2"
        renderBadge={({ key }) => (status && key === current ? t('pricing.current') : null)}
        renderAction={({ key, title }) =>
          key === null ? (
            <FreeAction />
          ) : (
            <BuyButton
              plan={key}
              offer={offer}
              label={t('pricing.buy', { plan: title[i18n.language] })}
              busyLabel={t('pricing.creating')}
              primary={state === 'signed-in' && key === HIGHLIGHTED_PLAN}
            />
          )
        }
      />
    </>
  );
}
