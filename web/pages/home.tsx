import { defaultModelTitle } from 'virtual:site';
import { useLoaderData } from 'react-router';
import testimonials from '#web/content/testimonials.json';
import { PRICED } from '#web/features/catalogue/use-offered-models.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import { Closing } from './home/closing.tsx';
import { FeatureGrid } from './home/feature-grid.tsx';
import { Hero } from './home/hero.tsx';
import { Points } from './home/points.tsx';
import { PriceExample } from './home/price-example.tsx';
import { PricingPreview } from './home/pricing-preview.tsx';
import { ProductView } from './home/product-view.tsx';
import { Testimonials } from './home/testimonials.tsx';

/** Runs when the page is built: models with a price and testimonials, in the language of the path. */
export function loader({ params }: { params: { lang?: string } }) {
  const language = params.lang === 'en' ? 'en' : 'zh';
  const priced = PRICED.map(({ title, pictures, ...model }) => ({
    ...model,
    title: title[language],
    makesPictures: pictures !== null,
  }));
  const said = testimonials.map(({ name, role, content, ...rest }) => ({
    ...rest,
    name: name[language],
    role: role[language],
    content: content[language],
  }));
  return { priced, said, defaultTitle: defaultModelTitle[language] };
}

export default function HomePage() {
  const { priced, said, defaultTitle } = useLoaderData<typeof loader>();
  return (
    <div className="pb-6 sm:pb-12">
      <PageHead page="" />
      <Hero />
      <Points />
      <ProductView />
      <PriceExample models={priced} defaultTitle={defaultTitle} />
      <FeatureGrid />
      <PricingPreview />
      <Testimonials testimonials={said} />
      <Closing />
    </div>
  );
}
