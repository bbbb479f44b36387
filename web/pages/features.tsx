import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { ProductPicture } from './home/product-picture.tsx';
import { StartLinks } from './home/start-links.tsx';
import { PageTitle } from './layout/page-title.tsx';

/**
 * What the product does, beside pictures of it. The first words fill the first screen of a phone: a picture there would be what
 * the page waits for.
 */
const PARTS = [
  { scene: 'models', features: ['models', 'pricing', 'context', 'everywhere'] },
  { scene: 'chat', features: ['files', 'streaming', 'durable', 'once'] },
  { scene: 'computer', features: ['computer', 'sources', 'made'] },
  { scene: 'statement', features: ['ledger', 'security'] },
] as const;

type Feature = (typeof PARTS)[number]['features'][number];

export default function FeaturesPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="features" />
      <PageTitle title={t('features.title')}>{t('features.lead')}</PageTitle>
      {PARTS.map(({ scene, features }) => (
        <section
          key={scene}
          className="grid gap-x-12 gap-y-8 border-line border-t py-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
        >
          <ul className="flex flex-col gap-8">
            {features.map((feature) => (
              <FeatureItem key={feature} feature={feature} />
            ))}
          </ul>
          <div>
            <ProductPicture
              scene={scene}
              sizes="(width < 64rem) 92vw, 43rem"
              withNote={scene === PARTS[0].scene}
            />
          </div>
        </section>
      ))}
      <StartLinks />
    </div>
  );
}

function FeatureItem({ feature }: { feature: Feature }) {
  const { t } = useTranslation('common');
  return (
    <li>
      <h2 className="mb-1 font-semibold text-lg">{t(`feature.${feature}.title`)}</h2>
      <p className="max-w-prose text-soft">{t(`feature.${feature}.text`)}</p>
    </li>
  );
}
