import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { StartLinks } from './home/start-links.tsx';
import { PageTitle } from './layout/page-title.tsx';

const FEATURES = [
  'models',
  'pricing',
  'streaming',
  'durable',
  'once',
  'context',
  'ledger',
  'security',
  'everywhere',
] as const;

export default function FeaturesPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="features" />
      <PageTitle title={t('features.title')}>{t('features.lead')}</PageTitle>
      <ul className="grid gap-x-12 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {FEATURES.map((feature) => (
          <li key={feature} className="border-line border-t pt-5">
            <h2 className="mb-1 font-semibold text-lg">{t(`feature.${feature}.title`)}</h2>
            <p className="text-soft">{t(`feature.${feature}.text`)}</p>
          </li>
        ))}
      </ul>
      <div className="mt-16">
        <StartLinks />
      </div>
    </div>
  );
}
