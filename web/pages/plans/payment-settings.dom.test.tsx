import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, openPage } from '#test/dom/page.ts';
import type { Offer } from '#web/features/billing/checkout/use-offer.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { PaymentSettings } from './payment-settings.tsx';

const DICTIONARY = { zh, en } as const;
const OFFER: Offer = {
  billing: { state: 'unknown' },
  choice: { cycle: 'annual', provider: 'creem', wanted: null, choose: () => {} },
  providers: ['creem', 'bagelpay'],
};

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

it.each([
  ['zh', ['付款周期', '支付平台']],
  ['en', ['Billing cycle', 'Payment provider']],
] as const)('in %s each switch says above it, to be seen, what it is for', (language, labels) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(['me'], null);
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
        <PaymentSettings offer={OFFER} />
      </TranslationProvider>
    </QueryClientProvider>,
  );
  const seen = all('legend').filter((legend) => !legend.classList.contains('sr-only'));
  expect(seen.map(({ textContent }) => textContent)).toEqual(labels);
});
