import { useLocation } from 'react-router';
import { LANGUAGES, type Language } from '#contract/choices.ts';
import { useTranslation } from './i18n.tsx';
import { pathInLanguage } from './language.ts';
import { siteOrigin } from './origin.ts';
import type { OwnPage, PlainPage, PublicPage } from './pages.ts';
import { localPath } from './use-language.ts';

interface HeadProps {
  title: string;
  description: string;
  /** The path in a language, which the page has in both. */
  pathIn: (language: Language) => string;
  /** The one path of a page that has the same in both. */
  canonical?: string;
}

/** Title, description, canonical link and language alternates of a page. */
export function Head({ title, description, pathIn, canonical }: HeadProps) {
  const { i18n } = useTranslation('common');
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={siteOrigin + (canonical ?? pathIn(i18n.language))} />
      {LANGUAGES.map((language) => (
        <link key={language} rel="alternate" hrefLang={language} href={siteOrigin + pathIn(language)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={siteOrigin + (canonical ?? pathIn('zh'))} />
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
  const { pathname } = useLocation();
  return (
    <>
      <Head
        title={title ?? t(`page.${page}.title`)}
        description={t(`page.${page}.description`)}
        pathIn={(language) => pathInLanguage({ pathname, search: '', hash: '' }, language)}
      />
      <meta name="robots" content="noindex" />
    </>
  );
}

/** The head of a page whose path names no language: not indexed, and pointing to its prefixed twins, or to itself with the language said. */
export function PlainPageHead({ page }: { page: PlainPage }) {
  const { t } = useTranslation('common');
  const hasTwins = page === 'privacy' || page === 'terms';
  return (
    <>
      <Head
        title={t(`page.${page}.title`)}
        description={t(`page.${page}.description`)}
        {...(hasTwins ? {} : { canonical: `/${page}` })}
        pathIn={(language) => (hasTwins ? localPath(language, page) : `/${page}?lang=${language}`)}
      />
      <meta name="robots" content="noindex" />
    </>
  );
}
