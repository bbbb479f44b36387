import { models } from 'virtual:models';
import { plans } from 'virtual:plans';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { inMenuOrder } from '#web/features/catalogue/use-offered-models.ts';
import { ModelMenu } from '#web/features/chat/composer/model-menu.tsx';
import { KeyModels } from '#web/features/openai-api/key-models.tsx';
import { ModelPrices } from '#web/features/openai-api/model-prices.tsx';
import { ModelSelect } from '#web/features/openai-api/model-select.tsx';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { PriceExample } from './home/price-example.tsx';
import { loader } from './home.tsx';
import ModelsPage from './models.tsx';

const PRICED = models.filter(({ cost }) => cost !== null);
const IDS = PRICED.map(({ id }) => id);
const TITLES = PRICED.map(({ title }) => title.en);

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** Draws it instead of what was drawn before, on a page whose server offers every model. */
function drawWithin(children: ReactNode): void {
  closePage();
  openPage('http://localhost');
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  client.setQueryData(['catalogue'], { models, defaultModel: 'parley-flash' });
  draw(
    <MemoryRouter initialEntries={['/en/models']}>
      <QueryClientProvider client={client}>
        <TranslationProvider language="en" dictionary={en}>
          {children}
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

/** The first of `names` in each element that has one. */
function namesIn(selector: string, names: readonly string[]): (string | undefined)[] {
  const longestFirst = names.toSorted((one, other) => other.length - one.length);
  return all(selector).map(({ textContent }) => longestFirst.find((name) => textContent?.includes(name)));
}

it('pages list models in the order of the menu, whatever they cost', () => {
  drawWithin(<ModelsPage />);
  expect(namesIn('tbody', TITLES)).toEqual(TITLES);
  drawWithin(<ModelPrices />);
  expect(namesIn('tbody tr', IDS)).toEqual(IDS);
  const { priced, defaultTitle } = loader({ params: { lang: 'en' } });
  drawWithin(<PriceExample models={priced} defaultTitle={defaultTitle} />);
  expect(namesIn('label', TITLES)).toEqual(TITLES);
});

it('the API page offers them in that order', () => {
  drawWithin(<ModelSelect models={models} value="parley-flash" onChange={() => {}} />);
  const writing = PRICED.filter(({ pictures }) => pictures === null).map(({ id }) => id);
  expect(namesIn('option', IDS)).toEqual(writing);
  let chosen: string[] | null = ['gemini-2.5-flash', 'gone'];
  const choose = (ids: string[] | null) => {
    chosen = ids;
  };
  drawWithin(<KeyModels models={chosen} onChange={choose} />);
  expect(namesIn('label', TITLES).filter((name) => name !== undefined)).toEqual(TITLES);
  all('input')[1]?.click();
  expect(chosen).toEqual(['parley-pro', 'gemini-2.5-flash', 'gone']);
});

it('a plan names its models in that order, and the menu of who may use all of them has it', async () => {
  for (const plan of plans) {
    const ids = plan.models.map(({ id }) => id);
    expect(ids).toEqual(inMenuOrder(ids.toReversed()));
  }
  const allowed = PRICED.map((model) => ({ ...model, allowed: true }));
  drawWithin(<ModelMenu models={allowed} model={allowed[1]} onChoose={() => {}} />);
  (await find('button', 'Flash')).click();
  await find('[role=menuitemradio]');
  expect(namesIn('[role=menuitemradio]', TITLES)).toEqual(TITLES);
});
