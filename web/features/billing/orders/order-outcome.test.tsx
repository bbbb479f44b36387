import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import type { Order } from '#contract/billing.ts';
import { LANGUAGES, type Language } from '#contract/choices.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { ReturnedFrom } from './order-outcome.tsx';
import { receiptQuery } from './order-query.ts';

const TEXTS = { zh, en };
const AGAIN = { zh: '继续购买：基础版（按月），$6.90', en: 'Try again: Basic (monthly), $6.90' };
const AWAITED = { zh: '基础版（按月），$6.90', en: 'Basic (monthly), $6.90' };
const ORDER: Order = {
  id: '0199ffff-ffff-7fff-bfff-ffffffffffff',
  planKey: 'gemini_basic',
  cycle: 'monthly',
  provider: 'bagelpay',
  priceUSD: 6.9,
  credits: 500,
  status: 'abandoned',
  createdAt: Date.now(),
  paidAt: null,
  confirming: false,
  uncredited: null,
};

/** What the page to which the provider sends back says of an order. */
function draw(language: Language, order: Order): string {
  const client = new QueryClient();
  client.setQueryData(receiptQuery(order.id).queryKey, { order, charges: [] });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <TranslationProvider language={language} dictionary={TEXTS[language]}>
        <MemoryRouter initialEntries={[`/subscription?order=${order.id}`]}>
          <ReturnedFrom />
        </MemoryRouter>
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

it.each(LANGUAGES)('a purchase that was left can be made again by its name and price, in %s', (language) => {
  const page = draw(language, ORDER);
  expect(page).toContain(AGAIN[language]);
  expect(page).toContain(TEXTS[language].subscription.returnOther);
});

it.each(LANGUAGES)('what is being paid for is named while its payment is confirmed, in %s', (language) => {
  const page = draw(language, { ...ORDER, status: 'open' });
  expect(page).toContain(TEXTS[language].subscription.returnConfirmTitle);
  expect(page).toContain(AWAITED[language]);
});
