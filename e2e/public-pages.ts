import type { APIRequestContext, Page } from '@playwright/test';
import type { Language } from '#contract/choices.ts';
import { foreignTexts, pageTexts } from './page-texts.ts';

/** What a page says about itself, read without running any of its code. */
export interface PublicPage {
  status: number;
  /** Where the browser ended up, without the origin. */
  path: string;
  language: Language;
  isIndexed: boolean;
  /** Visible headings of the first level. */
  headings: string[];
  canonical: string | null;
  /** Paths by `hreflang`. */
  alternates: Record<string, string>;
  links: string[];
  /** Links to a place on this page that is not there. */
  deadAnchors: string[];
  mainText: string;
  foreign: string[];
}

/** The paths in the sitemap. */
export async function readSitemap(request: APIRequestContext): Promise<string[]> {
  const text = await (await request.get('/sitemap.xml')).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
}

/** Opens a page and reads what it says about itself. */
export async function readPublicPage(page: Page, path: string): Promise<PublicPage> {
  const response = await page.goto(path, { waitUntil: 'domcontentloaded' });
  const facts = await page.evaluate(() => {
    const inside = (address: string) => {
      const url = new URL(address, document.baseURI);
      return url.origin === location.origin ? url.pathname + url.search : null;
    };
    const all = <T>(selector: string, read: (element: Element) => T) =>
      [...document.querySelectorAll(selector)].map(read);
    const href = (element: Element) => element.getAttribute('href') ?? '';
    const canonical = document.querySelector('link[rel=canonical]');
    return {
      path: location.pathname + location.search,
      language: document.documentElement.lang === 'en' ? ('en' as const) : ('zh' as const),
      isIndexed: document.querySelector('meta[name=robots]') === null,
      headings: all('h1', (heading) => (heading.checkVisibility() ? (heading.textContent ?? '') : '')),
      canonical: canonical && inside(href(canonical)),
      alternates: Object.fromEntries(
        all('link[rel=alternate][hreflang]', (link) => [link.getAttribute('hreflang'), inside(href(link))]),
      ) as Record<string, string>,
      links: all('a[href], link[rel=alternate], link[rel=icon], link[rel=manifest]', (link) =>
        inside(href(link)),
      ),
      deadAnchors: all('a[href^="#"]', href).filter((hash) => document.querySelector(hash) === null),
      mainText: document.querySelector('main')?.textContent ?? '',
    };
  });
  const foreign = foreignTexts(await pageTexts(page, '[lang=zz]'), facts.language);
  const links = facts.links.filter((link) => link !== null);
  return { ...facts, links: [...new Set(links)], foreign, status: response?.status() ?? 0 };
}
