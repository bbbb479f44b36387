import { brandName } from '#contract/brand.ts';
import { LANGUAGE_TAG, LANGUAGES, type Language } from '#contract/choices.ts';
import { escapeXml } from './escape-xml.ts';
import { fillText } from './fill-text.ts';
import type { NewsItem } from './read-news.ts';
import type { Site } from './site.ts';

/** The news of one language as RSS 2.0. `title` and `description` are the list page's. */
export function rssFeed(
  items: NewsItem[],
  language: Language,
  head: { title: string; description: string },
  origin: string,
): string {
  const address = `${origin}/${language}/news`;
  const entries = items.map(({ slug, date, title, summary, html }) =>
    [
      '<item>',
      `<title>${escapeXml(title)}</title>`,
      `<link>${address}/${slug}</link>`,
      `<guid>${address}/${slug}</guid>`,
      `<pubDate>${new Date(date).toUTCString()}</pubDate>`,
      `<description>${escapeXml(`<p>${summary}</p>${html.replaceAll('href="/', `href="${origin}/`)}`)}</description>`,
      '</item>',
    ].join('\n'),
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${escapeXml(head.title)}</title>
<link>${address}</link>
<description>${escapeXml(head.description)}</description>
<language>${LANGUAGE_TAG[language]}</language>
<atom:link href="${address}/rss.xml" rel="self" type="application/rss+xml"/>
${entries.join('\n')}
</channel></rss>
`;
}

/** Every public page with its twin; `pages` are paths behind the language, the empty one is home. */
export function sitemap(pages: readonly string[], origin: string): string {
  const addressIn = (language: string, page: string) => `${origin}/${language}${page ? `/${page}` : ''}`;
  const urls = pages.flatMap((page) => {
    const links = [...LANGUAGES.map((one) => [one, one] as const), ['x-default', 'zh'] as const].map(
      ([tag, one]) => `<xhtml:link rel="alternate" hreflang="${tag}" href="${addressIn(one, page)}"/>`,
    );
    return LANGUAGES.map((language) => `<url><loc>${addressIn(language, page)}</loc>${links.join('')}</url>`);
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`;
}

/** All may be read but the programs' own paths. */
export function robots(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /v1/\n\nSitemap: ${origin}/sitemap.xml\n`;
}

/** Texts of a manifest, as the pages have them. */
interface AppTexts {
  description: string;
  newChat: string;
  statement: string;
}

/** What a system shows when the product is put on a home screen, for readers of one language. */
export function manifest(site: Site, language: Language, texts: AppTexts, colour: string): string {
  const { name, nameZh } = site.brand;
  const icon = (file: string, size: number, purpose: string) => ({
    src: `/icons/${file}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  const shortcut = (title: string, page: string) => ({
    name: title,
    url: `/${language}/${page}`,
    icons: [icon('icon-192.png', 192, 'any')],
  });
  return JSON.stringify({
    name: language === 'zh' ? `${nameZh} ${name}` : `${name} ${nameZh}`,
    short_name: brandName({ name, nameZh }, language),
    description: fillText(texts.description, language, site),
    lang: LANGUAGE_TAG[language],
    id: '/',
    start_url: `/${language}/chat`,
    scope: '/',
    display: 'standalone',
    background_color: colour,
    theme_color: colour,
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('maskable-192.png', 192, 'maskable'),
      icon('maskable-512.png', 512, 'maskable'),
      icon('monochrome-512.png', 512, 'monochrome'),
    ],
    shortcuts: [shortcut(texts.newChat, 'chat'), shortcut(texts.statement, 'credits')],
  });
}
