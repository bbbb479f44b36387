import { models } from 'virtual:models';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import ModelsPage from './models.tsx';

const DICTIONARY = { zh, en } as const;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** The page as a server shows it that offers `offered`, and the texts of its rows. */
function rowsWhere(language: 'zh' | 'en', offered?: readonly CatalogueModel[]): string[] {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  if (offered) client.setQueryData(['catalogue'], { models: offered, defaultModel: 'parley-flash' });
  draw(
    <MemoryRouter initialEntries={[`/${language}/models`]}>
      <QueryClientProvider client={client}>
        <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
          <ModelsPage />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  return all('tbody').map(({ textContent }) => textContent);
}

it.each([
  ['zh', '20 起', '按张计价：1K 20 · 2K 40 · 4K 70\u00a0Credits，生成失败不收费。'],
  ['en', 'from 20', 'Per image: 1K 20 · 2K 40 · 4K 70\u00a0Credits; free if no image is made.'],
] as const)('in %s the model that makes pictures is listed last, at %s', (language, price, prices) => {
  const row = rowsWhere(language).at(-1);
  for (const text of ['Gemini 3.1 Flash Image', price, prices]) expect(row).toContain(text);
  expect(row).not.toContain('gemini-3.1-flash-image');
});

it('a page that is open lists only what its server offers', () => {
  const names = rowsWhere(
    'en',
    models.filter(({ pictures }) => pictures === null),
  ).join();
  expect(names).toContain('Gemini 2.5 Pro');
  expect(names).not.toContain('Gemini 3.1 Flash Image');
});

it('that models see pictures is said once where all do, and of those that do not where some do not', () => {
  rowsWhere('en');
  expect(document.body.textContent?.split('reads images')).toHaveLength(2);
  expect(document.body.textContent).not.toContain(en.models.blind);
  closePage();
  openPage('http://localhost');
  const blind = models.map((model) => ({ ...model, readsImages: model.id !== 'parley-pro' }));
  const rows = rowsWhere('en', blind).filter((row) => row.includes(en.models.blind));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain('Parley Pro');
  expect(document.body.textContent).toContain(en.models.documents);
});
