import { useTranslation } from './i18n.tsx';
import { LANGUAGES } from './language.ts';
import { siteOrigin } from './origin.ts';
import type { LanguagePage, PlainPage } from './pages.ts';
import { localPath } from './use-language.ts';

/** Title, description, canonical link and language alternates of a page under `/:lang`. */
export function PageHead({ page }: { page: LanguagePage }) {
  const { t, i18n } = useTranslation('common');
  const name = page === '' ? 'home' : page;
  const addressIn = (language: 'zh' | 'en') => siteOrigin + localPath(language, page);
  return (
    <>
      <title>{t(`page.${name}.title`)}</title>
      <meta name="description" content={t(`page.${name}.description`)} />
      <link rel="canonical" href={addressIn(i18n.language)} />
      {LANGUAGES.map((language) => (
        <link key={language} rel="alternate" hrefLang={language} href={addressIn(language)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={addressIn('zh')} />
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
