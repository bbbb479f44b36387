import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { ProductPicture } from './home/product-picture.tsx';
import { StartLinks } from './home/start-links.tsx';
import { PageTitle } from './layout/page-title.tsx';

/**
 * What the product does, in chapters: beside the words of each row a picture of them. The words come first on a phone: a picture there
 * would be what the page waits for.
 */
const CHAPTERS = [
  {
    chapter: 'price',
    rows: [
      { scene: 'models', features: ['models', 'pricing'] },
      { scene: 'statement', features: ['ledger', 'once'] },
    ],
  },
  {
    chapter: 'answers',
    rows: [
      { scene: 'chat', features: ['streaming', 'durable', 'context'] },
      { scene: 'files', features: ['files', 'sources', 'made'] },
    ],
  },
  {
    chapter: 'browser',
    rows: [
      { scene: 'browser', features: ['computer'] },
      { scene: 'computer', features: ['replay'] },
    ],
  },
] as const;
/** Those without a picture. */
const ALSO = ['everywhere', 'security'] as const;

type Row = (typeof CHAPTERS)[number]['rows'][number];
type Feature = Row['features'][number] | (typeof ALSO)[number];

export default function FeaturesPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="features" />
      <PageTitle title={t('features.title')}>{t('features.lead')}</PageTitle>
      {CHAPTERS.map(({ chapter, rows }, place) => (
        <section
          key={chapter}
          aria-labelledby={chapter}
          className="border-line border-t pt-8 pb-16 sm:pt-12 sm:pb-24"
        >
          <h2 id={chapter} className="headline mb-8 text-3xl sm:mb-12">
            {t(`features.chapters.${chapter}`)}
          </h2>
          <div className="flex flex-col gap-14 sm:gap-20">
            {rows.map((row) => (
              <FeatureRow key={row.scene} row={row} withNote={place === 0 && row === rows[0]} />
            ))}
          </div>
        </section>
      ))}
      <FeatureList features={ALSO} className="border-line border-t py-8 sm:grid-cols-2 sm:py-12" />
      <StartLinks />
    </div>
  );
}

/** What a picture shows, and beside it, on a phone beneath, the picture. */
function FeatureRow({ row: { scene, features }, withNote }: { row: Row; withNote: boolean }) {
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_35rem]">
      <FeatureList
        features={features}
        className={classNames(
          'lg:content-start',
          features.length > 1 && 'sm:max-lg:grid-cols-2',
          features.length > 2 && 'md:max-lg:grid-cols-3',
        )}
      />
      <ProductPicture scene={scene} withNote={withNote} />
    </div>
  );
}

/** Features with their heads in one line where they stand beside each other. */
function FeatureList({ features, className }: { features: readonly Feature[]; className?: string }) {
  const { t } = useTranslation('common');
  return (
    <ul className={classNames('grid gap-x-12', className)}>
      {features.map((feature) => (
        <li key={feature} className="row-span-2 mb-8 grid grid-rows-subgrid gap-y-1 last:mb-0">
          <h3 className="font-semibold text-lg">{t(`feature.${feature}.title`)}</h3>
          <p className="max-w-prose text-soft">{t(`feature.${feature}.text`)}</p>
        </li>
      ))}
    </ul>
  );
}
