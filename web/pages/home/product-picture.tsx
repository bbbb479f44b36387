import type { ReactNode } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage } from '#web/lib/use-language.ts';

/** Made by `npm run screenshots` into `web/public/pictures`; sizes in pixels of the page. */
const WIDE = { width: 1120, height: 700 };
const DETAIL = { width: 656, height: 600 };
const NARROW = { width: 390, height: 600 };
const THEMES = ['light', 'dark'] as const;
const FRAME = 'h-auto w-full rounded-card border border-line shadow-float';

export type ProductScene = 'chat' | 'models' | 'files' | 'browser' | 'computer' | 'statement';

interface ProductPictureProps {
  /** Says beneath that the interface is real and what it shows a sample: once on a page. */
  withNote?: boolean;
}

/** The chat as a whole, in the reader's language and theme: a phone's screen on a phone, else a wide one. */
export function ChatPicture({ withNote = false }: ProductPictureProps) {
  const fileOf = useFiles('chat');
  return (
    <ThemedPicture scene="chat" withNote={withNote}>
      {(theme, alt) => (
        <>
          <source media="(width < 40rem)" srcSet={fileOf(theme, '390')} {...NARROW} />
          <img
            src={fileOf(theme, '1120')}
            srcSet={`${fileOf(theme, '1120')} 1120w, ${fileOf(theme, '2240')} 2240w`}
            sizes="(width < 72rem) 92vw, 66rem"
            alt={alt}
            loading="lazy"
            decoding="async"
            {...WIDE}
            className={FRAME}
          />
        </>
      )}
    </ThemedPicture>
  );
}

/** A part of the product, about as large as it is: on a phone, a phone's screen. */
export function DetailPicture({ scene, withNote = false }: ProductPictureProps & { scene: ProductScene }) {
  const fileOf = useFiles(scene);
  return (
    <ThemedPicture scene={scene} withNote={withNote}>
      {(theme, alt) => (
        <>
          <source media="(width < 40rem)" srcSet={fileOf(theme, '390')} {...NARROW} />
          <img
            src={fileOf(theme, '656')}
            alt={alt}
            loading="lazy"
            decoding="async"
            {...DETAIL}
            className={FRAME}
          />
        </>
      )}
    </ThemedPicture>
  );
}

function useFiles(scene: ProductScene): (theme: string, size: string) => string {
  const language = useLanguage();
  return (theme, size) => `/pictures/${scene}-${language}-${theme}-${size}.avif`;
}

interface ThemedPictureProps {
  scene: ProductScene;
  withNote: boolean;
  children: (theme: (typeof THEMES)[number], alt: string) => ReactNode;
}

/** A picture in each theme, of which the page shows its own. */
function ThemedPicture({ scene, withNote, children }: ThemedPictureProps) {
  const { t } = useTranslation('common');
  return (
    <figure>
      {THEMES.map((theme) => (
        <picture key={theme} className={`of-${theme}`}>
          {children(theme, t(`pictures.${scene}`))}
        </picture>
      ))}
      {withNote ? <figcaption className="mt-3 text-soft text-sm">{t('pictures.caption')}</figcaption> : null}
    </figure>
  );
}
