import { brand } from 'virtual:site';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Cycle } from '#contract/billing.ts';
import { CycleChoice } from '#web/features/catalogue/cycle-choice.tsx';
import { PlanCards } from '#web/features/catalogue/plan-cards.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { PageTitle } from './layout/page-title.tsx';
import { PlanAction } from './layout/plan-action.tsx';
import { PurchaseNotice } from './layout/purchase-notice.tsx';
import { QuestionList } from './layout/question-list.tsx';

const QUESTIONS = ['cost', 'failure', 'expiry', 'cancel'] as const;

export default function PricingPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const [cycle, setCycle] = useState<Cycle>('annual');
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="pricing" />
      <PageTitle title={t('pricing.title')}>{t('pricing.lead')}</PageTitle>
      <PurchaseNotice />
      <div className="my-6">
        <CycleChoice cycle={cycle} onChange={setCycle} />
      </div>
      <PlanCards cycle={cycle} headingLevel="h2" renderAction={(plan) => <PlanAction plan={plan} />} />
      <p className="mt-6 max-w-prose text-soft">
        <strong className="font-medium text-ink">{t('pricing.cancelTitle')}</strong>
        <br />
        {t('pricing.cancelText')}
      </p>
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
