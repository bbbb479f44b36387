import { LANGUAGES, type Language } from '#contract/choices.ts';
import { useTranslation } from './i18n.tsx';
import { siteOrigin } from './origin.ts';
import type { OwnPage, PlainPage, PublicPage } from './pages.ts';
import { localPath } from './use-language.ts';

interface HeadProps {
  title: string;
  description: string;
  /** The path in a language, which the page has in both. */
  pathIn: (language: Language) => string;
}

/** Title and description of a page, with its canonical link and its alternates in both languages. */
export function Head({ title, description, pathIn }: HeadProps) {
  const { i18n } = useTranslation('common');
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <Addresses canonical={pathIn(i18n.language)} pathIn={pathIn} />
    </>
  );
}

interface AddressesProps extends Pick<HeadProps, 'pathIn'> {
  canonical: string;
}

function Addresses({ canonical, pathIn }: AddressesProps) {
  return (
    <>
      <link rel="canonical" href={siteOrigin + canonical} />
      {LANGUAGES.map((language) => (
        <link key={language} rel="alternate" hrefLang={language} href={siteOrigin + pathIn(language)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={siteOrigin + pathIn('zh')} />
    </>
  );
}

/** The head of a page under `/:lang` that is to be found; `title`: another one than the page's own. */
export function PageHead({ page, title }: { page: PublicPage; title?: string }) {
  const { t } = useTranslation('common');
  const name = page === '' ? 'home' : page;
  return (
    <Head
      title={title ?? t(`page.${name}.title`)}
      description={t(`page.${name}.description`)}
      pathIn={(language) => localPath(language, page)}
    />
  );
}

/** The head of a page under `/:lang` that shows one user's own things; `title`: another one than the page's own. */
export function OwnPageHead({ page, title }: { page: OwnPage; title?: string }) {
  const { t } = useTranslation('common');
  return (
    <>
      <Head
        title={title ?? t(`page.${page}.title`)}
        description={t(`page.${page}.description`)}
        pathIn={(language) => localPath(language, page)}
      />
      <meta name="robots" content="noindex" />
    </>
  );
}

/**
 * The head of a page whose path names no language: not indexed. Its addresses are those of its prefixed twin, if it has one;
 * else the query names the language of the alternates.
 */
export function PlainPageHead({ page }: { page: PlainPage }) {
  const { t, i18n } = useTranslation('common');
  const twin = page === 'privacy' || page === 'terms' ? page : null;
  const pathIn = (language: Language) => (twin ? localPath(language, twin) : `/${page}?lang=${language}`);
  return (
    <>
      <title>{t(`page.${page}.title`)}</title>
      <meta name="description" content={t(`page.${page}.description`)} />
      <meta name="robots" content="noindex" />
      <Addresses canonical={twin ? pathIn(i18n.language) : `/${page}`} pathIn={pathIn} />
    </>
  );
}
