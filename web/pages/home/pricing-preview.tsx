import { Link } from 'react-router';
import { PlanCards } from '#web/features/catalogue/plan-cards.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';

/** The three plans at annual prices. */
export function PricingPreview() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <section aria-labelledby="pricing" className="page section">
      <h2 id="pricing" className="headline text-4xl">
        {t('home.pricingTitle')}
      </h2>
      <p className="mt-2 mb-6 text-soft sm:mb-10">{t('home.pricingNote')}</p>
      <PlanCards cycle="annual" headingLevel="h3" isBrief />
      <Link
        to={pathTo('pricing')}
        className="mt-4 inline-flex min-h-11 items-center underline underline-offset-4 sm:mt-8"
      >
        {t('home.pricingLink')}
      </Link>
    </section>
  );
}
