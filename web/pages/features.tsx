import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { ProductPicture } from './home/product-picture.tsx';
import { StartLinks } from './home/start-links.tsx';
import { PageTitle } from './layout/page-title.tsx';

/** Features with a picture of what they look like, and then features in words alone. */
const SHOWN = [
  { scene: 'models', features: ['models', 'pricing'] },
  { scene: 'chat', features: ['streaming', 'durable', 'context'] },
  { scene: 'statement', features: ['ledger', 'once'] },
] as const;
const OTHERS = ['security', 'everywhere'] as const;

type Feature = (typeof SHOWN)[number]['features'][number] | (typeof OTHERS)[number];

export default function FeaturesPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="features" />
      <PageTitle title={t('features.title')}>{t('features.lead')}</PageTitle>
      {SHOWN.map(({ scene, features }) => (
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
              withNote={scene === SHOWN[0].scene}
            />
          </div>
        </section>
      ))}
      <ul className="grid gap-x-12 gap-y-8 border-line border-t py-12 sm:grid-cols-2">
        {OTHERS.map((feature) => (
          <FeatureItem key={feature} feature={feature} />
        ))}
      </ul>
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
