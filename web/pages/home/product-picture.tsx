import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';

/** Made by `npm run screenshots` into `web/public/pictures`; sizes in pixels of the page. */
const WIDE = { width: 1120, height: 700 };
const DETAIL = { width: 656, height: 600 };
const NARROW = { width: 390, height: 600 };
/** On a phone they end with the field of a question. */
const WITH_END: readonly ProductScene[] = ['browser', 'computer'];
const THEMES = ['light', 'dark'] as const;

export type ProductScene = 'chat' | 'models' | 'files' | 'browser' | 'computer' | 'statement';

interface ProductPictureProps {
  scene: ProductScene;
  /** The whole window, as wide as the page; else a detail, about as large as it is in the product. */
  isWhole?: boolean;
  /** Says beneath that the interface is real and what it shows a sample: once on a page. */
  withNote?: boolean;
}

/** What the product looks like, in the reader's language and theme; on a phone, a phone's screen. */
export function ProductPicture({ scene, isWhole = false, withNote = false }: ProductPictureProps) {
  const { t, i18n } = useTranslation('common');
  const pictures = THEMES.map((theme) => {
    const file = (size: string) => `/pictures/${scene}-${i18n.language}-${theme}-${size}.avif`;
    const sources = isWhole
      ? {
          ...WIDE,
          src: file('1120'),
          srcSet: `${file('1120')} 1120w, ${file('2240')} 2240w`,
          sizes: '(width < 72rem) 92vw, 66rem',
        }
      : { ...DETAIL, src: file('656') };
    return (
      <picture key={theme} className={`of-${theme}`}>
        <source media="(width < 40rem)" srcSet={file('390')} {...NARROW} />
        <img
          {...sources}
          alt={t(`pictures.${scene}`)}
          loading="lazy"
          decoding="async"
          className={classNames(
            'h-auto w-full rounded-card border border-line',
            isWhole ? 'shadow-float' : WITH_END.includes(scene) ? 'sm:fades-out' : 'fades-out',
          )}
        />
      </picture>
    );
  });
  return (
    <figure>
      {pictures}
      {withNote ? <figcaption className="mt-3 text-soft text-sm">{t('pictures.caption')}</figcaption> : null}
    </figure>
  );
}
