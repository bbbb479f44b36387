import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { ProductPicture } from './home/product-picture.tsx';
import { StartLinks } from './home/start-links.tsx';
import { PageTitle } from './layout/page-title.tsx';

/**
 * What the product does, above pictures of it. The first words fill the first screen of a phone: a picture there would be what
 * the page waits for.
 */
const PARTS = [
  { scene: 'models', features: ['models', 'pricing', 'context', 'everywhere'] },
  { scene: 'files', features: ['files', 'sources', 'made'] },
  { scene: 'browser', features: ['computer'] },
  { scene: 'computer', features: ['replay'] },
  { scene: 'chat', features: ['streaming', 'durable', 'once'] },
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
        <section key={scene} className="flex flex-col gap-8 border-line border-t py-12">
          <ul className="grid gap-x-12 gap-y-8 sm:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
            {features.map((feature) => (
              <FeatureItem key={feature} feature={feature} />
            ))}
          </ul>
          <ProductPicture
            scene={scene}
            sizes="(width < 72rem) 92vw, 66rem"
            withNote={scene === PARTS[0].scene}
          />
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
