import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';
import { z } from 'zod';
import { LANGUAGES, type Language } from '#contract/choices.ts';
import { fillText, keepUnits } from './fill-text.ts';
import type { Site } from './site.ts';

const FOLDER = 'web/content/news';
const headSchema = z.strictObject({
  title: z.string(),
  date: z.iso.date(),
  /** A scene of `npm run screenshots`, shown above the text. */
  picture: z.enum(['chat', 'models', 'files', 'browser', 'computer', 'statement']).optional(),
  summary: z.string(),
});

export interface NewsItem extends z.infer<typeof headSchema> {
  /** The last part of its address. */
  slug: string;
  /** Its text as HTML. */
  html: string;
}

/** The news of both languages, newest first. Throws when an item lacks one of its languages, a title, a date or a summary. */
export function readNews(site: Site): Record<Language, NewsItem[]> {
  const names = LANGUAGES.map((language) => readdirSync(join(FOLDER, language)).sort().reverse());
  if (String(names[0]) !== String(names[1])) throw new Error(`${FOLDER}/zh and /en have different files`);
  const read = (language: Language) => (names[0] ?? []).map((name) => readItem(language, name, site));
  return { zh: read('zh'), en: read('en') };
}

function readItem(language: Language, name: string, site: Site): NewsItem {
  const path = join(FOLDER, language, name);
  const [, date, slug] = /^(\d{4}-\d\d-\d\d)-([a-z0-9-]+)\.md$/.exec(name) ?? [];
  const [, head, text] = /^---\n\s*([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(path, 'utf8')) ?? [];
  if (!slug || !head || !text) throw new Error(`${path} is no YYYY-MM-DD-slug.md with front matter`);
  const lines = head.split('\n').map((line) => line.split(/:\s*(.*)/, 2));
  const { title, summary, picture, ...rest } = headSchema.parse(Object.fromEntries(lines));
  if (rest.date !== date) throw new Error(`${path} is dated ${rest.date} inside`);
  const filled = (one: string) => fillText(one, language, site);
  const html = keepUnits(marked(filled(text), { async: false }));
  return { slug, date: rest.date, title: filled(title), picture, summary: filled(summary), html };
}
