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

/** Title, description, canonical link and language alternates of a page whose path names its language. */
export function Head({ title, description, pathIn }: HeadProps) {
  const { i18n } = useTranslation('common');
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={siteOrigin + pathIn(i18n.language)} />
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
      <title>{title ?? t(`page.${page}.title`)}</title>
      <meta name="description" content={t(`page.${page}.description`)} />
      <meta name="robots" content="noindex" />
    </>
  );
}

/** The head of a page whose path names no language: not indexed, and pointing to its prefixed twin if it has one. */
export function PlainPageHead({ page }: { page: PlainPage }) {
  const { t, i18n } = useTranslation('common');
  const twin = page === 'privacy' || page === 'terms' ? localPath(i18n.language, page) : null;
  return (
    <>
      <title>{t(`page.${page}.title`)}</title>
      <meta name="description" content={t(`page.${page}.description`)} />
      <meta name="robots" content="noindex" />
      {twin ? <link rel="canonical" href={siteOrigin + twin} /> : null}
    </>
  );
}
