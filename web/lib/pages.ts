import { LANGUAGES } from '#contract/choices.ts';

/** Pages under `/:lang` that are to be found; the empty one is home. */
export const PUBLIC_PAGES = [
  '',
  'login',
  'register',
  'chat',
  'pricing',
  'subscription',
  'contact',
  'features',
  'news',
  'faq',
  'privacy',
  'terms',
  'models',
  'api',
] as const;
export type PublicPage = (typeof PUBLIC_PAGES)[number];

/** Pages under `/:lang` that show one user's own things: not indexed. */
export const OWN_PAGES = ['orders', 'credits'] as const;
export type OwnPage = (typeof OWN_PAGES)[number];

/** What stands in the place of a page while there is no network. */
const OFFLINE_PAGE = 'offline';

/** Every page under `/:lang`. */
const LANGUAGE_PAGES = [...PUBLIC_PAGES, ...OWN_PAGES, OFFLINE_PAGE] as const;
export type LanguagePage = (typeof LANGUAGE_PAGES)[number];

/** The sections of an account, in the order of their index. */
export const ACCOUNT_PAGES = [
  'profile/details',
  'profile/security',
  'profile/devices',
  'profile/billing',
  'profile/data',
  'profile/api',
] as const;
export type AccountPage = (typeof ACCOUNT_PAGES)[number];

/** Pages whose path names no language: they speak the detected one. */
export const PLAIN_PAGES = [
  'privacy',
  'terms',
  'profile',
  ...ACCOUNT_PAGES,
  'forgot-password',
  'reset-password',
  'verify-email',
  'sign-in-link',
  'not-me',
  'confirm-email',
] as const;
export type PlainPage = (typeof PLAIN_PAGES)[number];

/** Whether the path leads to a page that speaks the detected language. */
export function isPlainPage(pathname: string): boolean {
  return PLAIN_PAGES.some((page) => pathname === `/${page}` || pathname === `/${page}/`);
}

/** Every path that is built to HTML; `news` are the slugs of the news items. */
export function prerenderedPaths(news: readonly string[]): string[] {
  const pages = [...LANGUAGE_PAGES, ...news.map((slug) => `news/${slug}`)];
  const prefixed = LANGUAGES.flatMap((language) =>
    pages.map((page) => (page === '' ? `/${language}` : `/${language}/${page}`)),
  );
  return [...prefixed, ...PLAIN_PAGES.map((page) => `/${page}`)];
}

/** Stands in built files for the origin of `PUBLIC_URL`, which the server puts in its place. */
export const ORIGIN_PLACEHOLDER = 'https://origin.invalid';
/** The pages of the header's row of links. */
export const NAV_PAGES = ['', 'features', 'chat', 'pricing', 'news', 'faq'] as const;

/** The pages the footer leads to. */
export const FOOTER_PAGES = ['models', 'api', 'contact', 'privacy', 'terms'] as const;

/** The text key of a page's link. */
export function navKey<Page extends string>(page: Page) {
  return `nav.${(page === '' ? 'home' : page) as Page extends '' ? 'home' : Page}` as const;
}
