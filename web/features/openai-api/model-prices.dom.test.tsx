import { models } from 'virtual:models';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import { all, closePage, draw, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { ModelPrices } from './model-prices.tsx';

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** The rows as a server shows them that offers `offered`, by the name of their model. */
function rowsWhere(offered?: readonly CatalogueModel[]): Record<string, string> {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  if (offered) client.setQueryData(['catalogue'], { models: offered, defaultModel: 'parley-flash' });
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <ModelPrices />
      </TranslationProvider>
    </QueryClientProvider>,
  );
  return Object.fromEntries(
    all('tbody tr').map((row) => [row.querySelector('code')?.textContent ?? '', row.textContent ?? '']),
  );
}

it('each model stands by the name that a request gives, with its price, its context and its plans', () => {
  const rows = rowsWhere();
  expect(rows['parley-flash']).toMatch(/All plans15\d+KAll plans$/);
  expect(rows['parley-pro']).toMatch(/20\d+KBasic and up$/);
  expect(rows['gemini-2.5-pro']).toMatch(/12\d+KPro only$/);
  expect(rows['gemini-3.1-flash-image']).toContain('from 20');
});

it('a price that an operator changed is shown, and what is not offered is not', () => {
  const offered = models
    .filter(({ id }) => id !== 'gemini-2.5-pro')
    .map((model) => (model.id === 'parley-flash' ? { ...model, cost: 18 } : model));
  const rows = rowsWhere(offered);
  expect(rows['parley-flash']).toMatch(/18\d+K/);
  expect(rows).not.toHaveProperty('gemini-2.5-pro');
});
