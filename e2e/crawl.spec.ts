import type { APIRequestContext, Page } from '@playwright/test';
import { LANGUAGES } from '#contract/choices.ts';
import { long } from './long.ts';
import { type PublicPage, readPublicPage, readSitemap } from './public-pages.ts';
import { expect, test } from './visitor.ts';

const FILE = /\.[a-z]+$/;
/** Only who is signed in finds a link to these. */
const OWN = ['subscription', 'orders', 'credits'];
const START = LANGUAGES.flatMap((language) => [`/${language}`, ...OWN.map((page) => `/${language}/${page}`)]);

test.use({ javaScriptEnabled: false });

/** Follows every link from the home pages, without running any code of the pages. */
async function crawl(page: Page, request: APIRequestContext) {
  const pages = new Map<string, PublicPage>();
  const files = new Map<string, number>();
  const queue = [...START];
  for (const path of queue) {
    if (FILE.test(path)) files.set(path, (await request.get(path)).status());
    else {
      const found = await readPublicPage(page, path);
      pages.set(path, found);
      queue.push(...found.links.filter((link) => !queue.includes(link)));
    }
  }
  return { pages: [...pages], files: [...files] };
}

test(
  'every page of the site holds what it says about itself, with no script running',
  long('a detail that seldom breaks'),
  async ({ page, request }) => {
    const { pages, files } = await crawl(page, request);
    const named = (wrong: (page: PublicPage, path: string) => boolean) =>
      pages.filter(([path, one]) => wrong(one, path)).map(([path]) => path);

    await test.step('every internal link leads to a page or a file, without a detour', () => {
      expect(named(({ status, path: end }, path) => status !== 200 || end !== path)).toEqual([]);
      expect(files.filter(([, status]) => status !== 200)).toEqual([]);
      expect(pages.flatMap(([path, { deadAnchors }]) => deadAnchors.map((hash) => path + hash))).toEqual([]);
    });
    await test.step('every page has one heading of the first level, and a text', () => {
      expect(named(({ headings }) => headings.length !== 1 || headings[0] === '')).toEqual([]);
      expect(named(({ mainText }) => mainText.length < 30)).toEqual([]);
    });
    await test.step('the canonical address of an indexed page is its own, and its path names its language', () => {
      expect(named((one, path) => one.isIndexed && one.canonical !== path)).toEqual([]);
      expect(named((one, path) => one.isIndexed && !`${path}/`.startsWith(`/${one.language}/`))).toEqual([]);
    });
    await test.step('language alternates name each other, Chinese being the default', () => {
      const alternates = new Map(pages.map(([path, one]) => [path, one.alternates]));
      const isMutual = ({ alternates: mine, language }: PublicPage, path: string) =>
        mine[language] === path &&
        mine['x-default'] === mine.zh &&
        JSON.stringify(alternates.get(mine.zh ?? '')) === JSON.stringify(alternates.get(mine.en ?? ''));
      expect(named((one, path) => one.isIndexed && !isMutual(one, path))).toEqual([]);
    });
    await test.step('every text is in the language of its page', () => {
      const foreign = pages.flatMap(([path, one]) => one.foreign.map((text) => `${path}: ${text}`));
      expect(foreign).toEqual([]);
    });
    await test.step('the sitemap lists exactly the pages that are to be indexed', async () => {
      const indexed = named(({ isIndexed }) => isIndexed);
      expect((await readSitemap(request)).sort()).toEqual(indexed.sort());
    });
  },
);

test('legal pages without a language point to those of a language and are not indexed', async ({ page }) => {
  for (const path of ['/privacy', '/terms']) {
    const one = await readPublicPage(page, path);
    expect(one).toMatchObject({ status: 200, isIndexed: false, canonical: `/zh${path}` });
  }
});

test(
  'a path in an unknown language leads to that page in Chinese, any other unknown path home',
  long('the rules of addresses have tests'),
  async ({ page }) => {
    for (const [path, end] of [
      ['/xx/pricing', '/zh/pricing'],
      ['/fr/news/close-the-tab?a=b', '/zh/news/close-the-tab?a=b'],
      ['/en/no-such-page', '/zh'],
      ['/zh/news/no-such-item', '/zh'],
      ['/no/such/page', '/zh'],
    ] as const) {
      expect((await readPublicPage(page, path)).path, path).toBe(end);
    }
  },
);

test(
  'the header marks the page one is on, home too',
  long('a detail of the page that seldom breaks'),
  async ({ page }) => {
    for (const path of ['/zh', '/en', '/en/features', '/zh/pricing', '/zh/news/close-the-tab']) {
      await page.goto(path);
      const [, language, name] = path.split('/');
      const marked = name ? `/${language}/${name}` : path;
      await expect(page.locator('header nav [aria-current=page]')).toHaveAttribute('href', marked);
    }
  },
);

test('what is shared has a picture of the size it says, what is fed is well formed', async ({
  page,
  request,
}) => {
  for (const language of LANGUAGES) {
    await page.goto(`/${language}/news`);
    const content = (name: string) =>
      page.locator(`meta[property="og:${name}"]`).getAttribute('content').then(String);
    const png = await (await request.get(await content('image'))).body();
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)].map(String)).toEqual([
      await content('image:width'),
      await content('image:height'),
    ]);
    const feed = await request.get(`/${language}/news/rss.xml`);
    expect(feed.headers()['content-type']).toContain('xml');
    const titles = await page.evaluate(
      (text) => {
        const parsed = new DOMParser().parseFromString(text, 'application/xml');
        return [...parsed.querySelectorAll('item > title')].map((title) => title.textContent);
      },
      await feed.text(),
    );
    expect(titles).toEqual(await page.getByRole('article').getByRole('heading').allTextContents());
  }
  const robots = await (await request.get('/robots.txt')).text();
  const [, sitemap = ''] = /Sitemap: (.*)/.exec(robots) ?? [];
  expect((await request.get(sitemap)).status()).toBe(200);
});
