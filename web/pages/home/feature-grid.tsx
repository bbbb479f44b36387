import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';

const FEATURES = ['models', 'made', 'streaming', 'durable', 'security', 'everywhere'] as const;

/** Six features. */
export function FeatureGrid() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <section aria-labelledby="features" className="page section">
      <h2 id="features" className="headline mb-6 text-4xl sm:mb-10">
        {t('home.featuresTitle')}
      </h2>
      <ul className="grid gap-x-12 gap-y-5 sm:grid-cols-2 sm:gap-y-10 lg:grid-cols-3">
        {FEATURES.map((feature) => (
          <li key={feature} className="border-line border-t pt-4 sm:pt-5">
            <h3 className="mb-1 font-semibold text-lg">{t(`feature.${feature}.title`)}</h3>
            <p className="text-soft">{t(`feature.${feature}.text`)}</p>
          </li>
        ))}
      </ul>
      <Link
        to={pathTo('features')}
        className="mt-6 inline-flex min-h-11 items-center underline underline-offset-4 sm:mt-10"
      >
        {t('home.featuresLink')}
      </Link>
    </section>
  );
}
