import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LANGUAGES, type Language } from '#contract/choices.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { colourToken } from './colour-token.ts';
import { addToHead, describePage } from './describe-page.ts';
import { drawImages } from './draw-images.ts';
import { fillText } from './fill-text.ts';
import { type NewsItem, readNews } from './read-news.ts';
import { readSite, type Site } from './site.ts';
import { newsArticle, organization, products, questions, type Thing } from './structured-data.ts';
import { manifest, robots, rssFeed, sitemap } from './write-feeds.ts';

const TEXTS = { zh, en };

interface Plan {
  /** Where the built pages are. */
  folder: string;
  /** Paths behind the language of all public pages but the news items; the empty one is home. */
  pages: readonly string[];
  /** Stands for the public origin, which the server knows. */
  origin: string;
}

/** Adds to the built pages what search engines, feeds and systems ask for: descriptions, images, sitemap, manifest. */
export async function finishSite(env: Record<string, string | undefined>, plan: Plan): Promise<void> {
  const { folder, pages, origin } = plan;
  const site = readSite(env);
  const news = readNews(site);
  const text = (language: Language, one: string) => fillText(one, language, site);
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  const images = await drawImages({ zh: cardTexts('zh', site), en: cardTexts('en', site) });
  for (const [path, image] of images) await write(path, image);
  const all = [...pages, ...news.zh.map(({ slug }) => `news/${slug}`)];
  await write('sitemap.xml', sitemap(all, origin));
  await write('robots.txt', robots(origin));
  for (const language of LANGUAGES) {
    await write(manifestPath(language), manifest(site, language, appTexts(language), colourToken('paper')));
    const { title, description } = TEXTS[language].page.news;
    const head = { title: text(language, title), description: text(language, description) };
    await write(`${language}/news/rss.xml`, rssFeed(news[language], language, head, origin));
    for (const page of all) {
      const path = join(folder, language, page, 'index.html');
      const item = news[language].find(({ slug }) => page === `news/${slug}`);
      const things = thingsOn(page, item, { site, language, origin });
      const facts = { language, name: text(language, '{{brand}}'), origin, things, published: item?.date };
      await writeFile(path, describePage(await readFile(path, 'utf8'), facts));
    }
  }
  await addIcons(folder);
}

function manifestPath(language: Language): string {
  return `${language}/manifest.webmanifest`;
}

function appTexts(language: Language) {
  const { page, chat, nav } = TEXTS[language];
  return {
    description: page.home.description,
    newChat: chat.newConversation,
    statement: nav.credits,
  };
}

function cardTexts(language: Language, site: Site) {
  const { name, nameZh } = site.brand;
  const names = language === 'zh' ? { name: nameZh, secondName: name } : { name, secondName: nameZh };
  const { title, points } = TEXTS[language].home;
  return { ...names, title, line: fillText(points.price.text, language, site) };
}

interface Place {
  site: Site;
  language: Language;
  origin: string;
}

function thingsOn(page: string, item: NewsItem | undefined, { site, language, origin }: Place): Thing[] {
  const owner = organization(site, origin);
  if (page === '') return [owner];
  if (page === 'pricing') return [owner, ...products(site, language, origin)];
  if (page === 'faq') return [questions(site, language)];
  return item ? [owner, newsArticle(item, language, `${origin}/${language}/${page}`, origin)] : [];
}

/** The language of a built page's path; Chinese where it names none. */
function languageOf(path: string): Language {
  return LANGUAGES.find((language) => path.startsWith(`${language}/`)) ?? 'zh';
}

/** Every page names the icons, also those that are not indexed. */
async function addIcons(folder: string) {
  const dark = colourToken('paper', 'dark');
  const markup = (language: Language) =>
    `<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png"/><link rel="manifest" href="/${manifestPath(language)}"/>` +
    `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${colourToken('paper')}"/>` +
    `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark}"/>`;
  const entries = await readdir(folder, { recursive: true });
  for (const name of entries.filter((entry) => entry.endsWith('.html'))) {
    const path = join(folder, name);
    await writeFile(path, addToHead(await readFile(path, 'utf8'), markup(languageOf(name))));
  }
}
