import { useTranslation } from '#web/lib/i18n.tsx';
import { ProductPicture } from './product-picture.tsx';

/** The chat as it is, with two sentences beside it. */
export function ProductView() {
  const { t } = useTranslation('common');
  return (
    <section aria-labelledby="product-view" className="page section pt-10 sm:pt-24">
      <h2 id="product-view" className="headline text-4xl">
        {t('home.picturesTitle')}
      </h2>
      <p className="mt-2 mb-6 max-w-prose text-soft sm:mb-10">{t('home.picturesText')}</p>
      <ProductPicture scene="chat" isWhole withNote />
    </section>
  );
}
