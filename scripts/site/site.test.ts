import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LANGUAGES } from '#contract/choices.ts';
import { addToHead, describePage } from './describe-page.ts';
import { fillText, keepUnits } from './fill-text.ts';
import { readNews } from './read-news.ts';
import { readSite } from './site.ts';
import { products, questions } from './structured-data.ts';
import { manifest, rssFeed, sitemap } from './write-feeds.ts';

const ORIGIN = 'https://parley.example';
const site = readSite({});
const PAGE =
  '<html><head><title>A &amp; "B"</title><meta name="description" content="C"/>' +
  '<link rel="canonical" href="https://parley.example/en/news/x"/></head><body></body></html>';

it('a name that no text knows is refused', () => {
  expect(fillText('{{brand}}: {{lowestCost}}', 'en', site)).toBe('Parley: 8');
  expect(fillText('{{lowestCost}} {{lowestCost:Credit|Credits}}', 'en', site)).toBe('8 Credits');
  expect(() => fillText('{{brand}} {{no}}', 'zh', site)).toThrow('{{no}}');
});

it('every model is listed, also where the build has no key, and only messages make the range of prices', () => {
  const { models } = site.catalogue;
  expect(models.filter(({ pictures }) => pictures).map(({ id }) => id)).toEqual(['gemini-3.1-flash-image']);
  expect(models.map(({ missingSetting }) => missingSetting).filter(Boolean)).toEqual([]);
  expect(site.facts).toMatchObject({ lowestCost: 8, highestCost: 20, pictureLeast: 20, pictureMost: 70 });
});

it('the news are the same items in both languages, each with a day, a title and a summary', () => {
  const { zh, en } = readNews(site);
  expect(zh.map(({ slug, date }) => [slug, date])).toEqual(en.map(({ slug, date }) => [slug, date]));
  expect(zh.length).toBeGreaterThan(0);
  for (const { title, summary, html } of [...zh, ...en]) expect(title && summary && html).toBeTruthy();
});

it('no number of a text is parted from its unit at the end of a line', () => {
  expect(keepUnits('15 Credits, 1 Credit, 8,000 tokens, 20 MiB and 3 models')).toBe(
    '15\u00a0Credits, 1\u00a0Credit, 8,000\u00a0tokens, 20\u00a0MiB and 3 models',
  );
});

it('the picture of a piece of news is there in both languages and themes', () => {
  const { zh } = readNews(site);
  const scenes = new Set(zh.flatMap(({ picture }) => picture ?? []));
  expect(scenes.size).toBeGreaterThan(0);
  const files = [...scenes].flatMap((scene) =>
    LANGUAGES.flatMap((language) =>
      ['light', 'dark'].flatMap((theme) =>
        [656, 390].map((width) => `${scene}-${language}-${theme}-${width}.avif`),
      ),
    ),
  );
  expect(files.filter((file) => !existsSync(`web/public/pictures/${file}`))).toEqual([]);
});

it('a page is described by its own title and description, and data cannot end its script', () => {
  const facts = { language: 'en', name: 'Parley', origin: ORIGIN, things: [{ name: '</script>' }] } as const;
  const html = describePage(PAGE, { ...facts, things: [...facts.things], published: '2026-11-21' });
  expect(html).toContain('<meta property="og:title" content="A &amp; &quot;B&quot;"/>');
  expect(html).toContain('<meta property="og:url" content="https://parley.example/en/news/x"/>');
  expect(html).toContain('<meta property="article:published_time" content="2026-11-21"/>');
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(addToHead(PAGE, '$&')).toContain('$&</head>');
});

it('offers have the prices of the catalogue and can be bought', () => {
  const pro = products(site, 'en', ORIGIN).at(-1);
  const availability = 'https://schema.org/InStock';
  expect(pro).toMatchObject({
    name: 'Parley Pro',
    offers: [
      { price: '11.90', availability },
      { price: '118.80', availability },
    ],
  });
});

it('the questions are told without anything left to fill in, and without links', () => {
  for (const language of LANGUAGES) {
    expect(JSON.stringify(questions(site, language))).not.toMatch(/\{\{|<\w/);
  }
});

it('a feed has absolute addresses only, and a sitemap both languages of each page', () => {
  const item = { slug: 's', date: '2026-11-21', title: 'T', summary: 'S', html: '<a href="/en">x</a>' };
  const feed = rssFeed([item], 'en', { title: 'N', description: 'D' }, ORIGIN);
  expect(feed).toContain('<pubDate>Sat, 21 Nov 2026 00:00:00 GMT</pubDate>');
  expect(feed).toContain('href=&quot;https://parley.example/en&quot;');
  expect(sitemap(['', 'faq'], ORIGIN).match(/<loc>/g)).toHaveLength(4);
});

it('the product is installed as one, whichever language it was installed in', () => {
  const texts = { description: '{{brand}}: C', newChat: 'New chat', statement: 'Statement' };
  const [zh, en] = LANGUAGES.map((language) => JSON.parse(manifest(site, language, texts, '#fbfaf7')));
  expect([zh.id, zh.scope, zh.name, zh.start_url]).toEqual(['/', '/', '对谈 Parley', '/zh/chat']);
  expect([en.id, en.scope, en.name, en.start_url]).toEqual(['/', '/', 'Parley 对谈', '/en/chat']);
  expect(en.description).toBe('Parley: C');
  const urls = en.shortcuts.map(({ url }: { url: string }) => url);
  expect(urls).toEqual(['/en/chat', '/en/credits']);
  const purposes = zh.icons.map(({ purpose }: { purpose: string }) => purpose);
  expect(new Set(purposes)).toEqual(new Set(['any', 'maskable', 'monochrome']));
});
