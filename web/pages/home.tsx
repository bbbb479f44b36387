import { PageHead } from '#web/lib/page-head.tsx';
import { Closing } from './home/closing.tsx';
import { FeatureGrid } from './home/feature-grid.tsx';
import { Hero } from './home/hero.tsx';
import { Points } from './home/points.tsx';
import { PriceExample } from './home/price-example.tsx';
import { PricingPreview } from './home/pricing-preview.tsx';
import { ProductView } from './home/product-view.tsx';
import { Testimonials } from './home/testimonials.tsx';

export default function HomePage() {
  return (
    <>
      <PageHead page="" />
      <Hero />
      <Points />
      <ProductView />
      <PriceExample />
      <FeatureGrid />
      <PricingPreview />
      <Testimonials />
      <Closing />
    </>
  );
}
