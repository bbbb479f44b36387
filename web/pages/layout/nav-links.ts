/** The pages of the header's row of links. */
export const NAV_PAGES = ['', 'features', 'chat', 'pricing', 'news', 'faq'] as const;

/** The pages the footer leads to. */
export const FOOTER_PAGES = ['models', 'api', 'contact', 'privacy', 'terms'] as const;

/** The text key of a page's link. */
export function navKey<Page extends string>(page: Page) {
  return `nav.${(page === '' ? 'home' : page) as Page extends '' ? 'home' : Page}` as const;
}
