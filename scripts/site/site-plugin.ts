import { marked } from 'marked';
import type { Plugin } from 'vite';
import { type Brand, brandName } from '#contract/brand.ts';
import type { Catalogue } from '#contract/catalogue.ts';
import type { Language } from '#contract/choices.ts';
import { keepUnits } from './fill-text.ts';
import { labelCells } from './label-cells.ts';
import { readNews } from './read-news.ts';
import { readSite } from './site.ts';

/** Gives the pages what is known when they are built: brand, facts, catalogue, news; a `.md` file exports its HTML. */
export function sitePlugin(env: Record<string, string | undefined>): Plugin {
  const site = readSite(env);
  const { brand, catalogue, facts } = site;
  const defaultModel = catalogue.models.find(({ id }) => id === catalogue.defaultModel);
  const modules: Record<string, () => string> = {
    'virtual:site': () => exportAll({ brand, facts, defaultModelTitle: defaultModel?.title }),
    'virtual:plans': () => exportAll({ plans: plansOf(catalogue) }),
    'virtual:models': () => exportAll({ models: catalogue.models }),
    'virtual:news': () => exportAll({ news: readNews(site) }),
  };
  return {
    name: 'parley:site',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => modules[id.slice(1)]?.(),
    transform: {
      filter: { id: /\.md$/ },
      handler: async (text, id) => {
        const html = await marked(withBrand(text, brand, languageOf(id)));
        return exportAll(readMarkdown(labelCells(keepUnits(html))));
      },
    },
  };
}

/** The plans with the names of their models: all that a card shows. */
function plansOf({ models, plans }: Catalogue) {
  return plans.map((plan) => ({
    ...plan,
    models: models.filter(({ tiers }) => tiers.includes(plan.tier)).map(({ id, title }) => ({ id, title })),
  }));
}

/** The title, the HTML under it with an id for each section, and their list. Long lines scroll by keyboard too; a short name stays on one. */
function readMarkdown(html: string) {
  const [heading = '', title = ''] = /^<h1>(.*?)<\/h1>\n/.exec(html) ?? [];
  const sections: { id: string; title: string }[] = [];
  const named = html
    .slice(heading.length)
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replace(/<code>(?=[^<]{1,30}<)/g, '<code class="whitespace-nowrap">')
    .replace(/<h2>(.*?)<\/h2>/g, (_, section: string) => {
      const id = section.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
      sections.push({ id, title: section });
      return `<h2 id="${id}">${section}</h2>`;
    });
  return { title, html: named, sections };
}

function exportAll(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

/** A text's language is in its path: `zh/terms.md`, `zh.md`. */
function languageOf(path: string): Language {
  return /\/content\/.*\bzh\b/.test(path) ? 'zh' : 'en';
}

function withBrand(text: string, brand: Brand, language: Language): string {
  return text.replaceAll('{brand}', brandName(brand, language)).replaceAll('{email}', brand.supportEmail);
}
