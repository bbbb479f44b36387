import { LANGUAGES, type Language } from '#contract/choices.ts';
import { CARD } from './draw-images.ts';
import type { Thing } from './structured-data.ts';

const LOCALE = { zh: 'zh_CN', en: 'en_US' };

interface PageFacts {
  language: Language;
  /** Name of the product in that language. */
  name: string;
  origin: string;
  /** What is on the page, in the words of schema.org. */
  things: Thing[];
  /** Day of a news item. */
  published?: string | undefined;
}

/**
 * A built page with what only machines read put at the end of its head: Open Graph, the feed, structured data. The browser's
 * code knows nothing of it; React leaves what it did not write in the head alone.
 */
export function describePage(html: string, facts: PageFacts): string {
  const { language, name, origin, things, published } = facts;
  const title = read(html, /<title>([^<]*)<\/title>/);
  const properties: [string, string | undefined][] = [
    ['og:type', published ? 'article' : 'website'],
    ['og:site_name', name],
    ['og:title', title],
    ['og:description', read(html, /<meta name="description" content="([^"]*)"/)],
    ['og:url', read(html, /<link rel="canonical" href="([^"]*)"/)],
    ['og:locale', LOCALE[language]],
    ...LANGUAGES.filter((other) => other !== language).map((other): [string, string] => [
      'og:locale:alternate',
      LOCALE[other],
    ]),
    ['og:image', `${origin}/cards/${language}.png`],
    ['og:image:type', 'image/png'],
    ['og:image:width', String(CARD.width)],
    ['og:image:height', String(CARD.height)],
    ['og:image:alt', name],
    ['article:published_time', published],
  ];
  const tags = properties.map(([property, content]) =>
    content === undefined
      ? ''
      : `<meta property="${property}" content="${content.replaceAll('"', '&quot;')}"/>`,
  );
  const feed = `<link rel="alternate" type="application/rss+xml" title="${name}" href="${origin}/${language}/news/rss.xml"/>`;
  return addToHead(
    html,
    `${tags.join('')}<meta name="twitter:card" content="summary_large_image"/>${feed}${dataBlock(things)}`,
  );
}

/** Puts markup at the end of a page's head. */
export function addToHead(html: string, markup: string): string {
  return html.replace('</head>', () => `${markup}</head>`);
}

function dataBlock(things: Thing[]): string {
  if (things.length === 0) return '';
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': things });
  return `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>`;
}

function read(html: string, pattern: RegExp): string {
  const found = pattern.exec(html)?.[1];
  if (found === undefined) throw new Error(`a built page has nothing that matches ${pattern}`);
  return found;
}
