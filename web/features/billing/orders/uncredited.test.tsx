import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import type { Charge, Order } from '#contract/billing.ts';
import { LANGUAGES, type Language } from '#contract/choices.ts';
import { DAY_MS } from '#contract/time.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { UncreditedNotes } from '../subscription/status-notices.tsx';
import { OrderList } from './order-list.tsx';
import { ReturnedFrom } from './order-outcome.tsx';
import { ordersQuery, receiptQuery } from './order-query.ts';
import { ReceiptPaper } from './receipt-paper.tsx';

const TEXTS = { zh, en };
const REFERENCE = 'tran_4711';
const ORDER: Order = {
  id: '0199ffff-ffff-7fff-bfff-ffffffffffff',
  planKey: 'gemini_basic',
  cycle: 'monthly',
  provider: 'creem',
  priceUSD: 9.9,
  credits: 1_500,
  status: 'open',
  createdAt: Date.now(),
  paidAt: null,
  confirming: false,
  uncredited: REFERENCE,
};

/** A month of the order that was paid and credited. */
const CREDITED: Charge = {
  transactionId: 'tran_month_1',
  paidAt: ORDER.createdAt,
  periodStart: ORDER.createdAt,
  periodEnd: ORDER.createdAt + 30 * DAY_MS,
  credits: 1_500,
  amountMinor: 990,
  refundedMinor: 0,
  currency: 'USD',
  disputed: false,
};

/** A screen in a language, with the order among those that were read. */
function draw(language: Language, screen: ReactNode, query = ''): string {
  const client = new QueryClient();
  client.setQueryData(receiptQuery(ORDER.id).queryKey, { order: ORDER, charges: [] });
  const pages = [{ orders: [ORDER], nextCursor: null }];
  client.setQueryData(ordersQuery.queryKey, { pages, pageParams: [null] });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <TranslationProvider language={language} dictionary={TEXTS[language]}>
        <MemoryRouter initialEntries={[`/subscription${query}`]}>{screen}</MemoryRouter>
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

/** A text of the dictionary, as it is drawn. */
function filled(text: string, params: Record<string, string>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => params[name] ?? '');
}

describe.each(LANGUAGES)('a payment that was received and not credited, in %s', (language) => {
  const { orders, subscription } = TEXTS[language];
  const inList = filled(orders.uncredited, { reference: REFERENCE });
  const whole = filled(subscription.uncredited, { reference: REFERENCE, provider: 'Creem' });

  it('is told with its reference on the page to which the provider sends back, instead of waiting', () => {
    const page = draw(language, <ReturnedFrom />, `?order=${ORDER.id}`);
    expect(page).toContain(subscription.uncreditedTitle);
    expect(page).toContain(whole);
    expect(page).not.toContain(subscription.returnConfirmTitle);
  });

  it('is told among the notices of the subscription, once', () => {
    const paid = { amountMinor: 990, currency: 'USD', paidAt: ORDER.createdAt };
    const charge = { reference: REFERENCE, provider: 'creem', orderId: ORDER.id, ...paid } as const;
    const notes = <UncreditedNotes uncredited={[charge]} checkoutBlocked={null} />;
    expect(draw(language, notes)).toContain(whole);
    expect(draw(language, notes, `?order=${ORDER.id}`)).toBe('');
  });

  it.each([null, '0199ffff-ffff-7fff-bfff-eeeeeeeeeeee'])(
    'is told on the return page of an order that it is not known to be for: %s',
    (orderId) => {
      const sum = { amountMinor: 990, currency: 'USD', paidAt: ORDER.createdAt };
      const charge = { reference: REFERENCE, provider: 'creem', orderId, ...sum } as const;
      const notes = <UncreditedNotes uncredited={[charge]} checkoutBlocked={null} />;
      for (const query of [`?order=${ORDER.id}`, '']) expect(draw(language, notes, query)).toContain(whole);
    },
  );

  it('stands beside what was credited for its order before', () => {
    const order: Order = { ...ORDER, status: 'paid', paidAt: ORDER.createdAt };
    const receipt = { order, charges: [CREDITED] };
    const page = draw(language, <ReceiptPaper receipt={receipt} email="who@example.test" />);
    expect(page).toContain(inList);
    expect(page).toContain('9.90');
    expect(page).toContain(CREDITED.transactionId);
  });

  it('stands in the list of orders and in the details of its order', () => {
    const list = draw(language, <OrderList />);
    expect(list).toContain(inList);
    expect(list).toContain(orders.status.held);
    const receipt = { order: ORDER, charges: [] };
    expect(draw(language, <ReceiptPaper receipt={receipt} email="who@example.test" />)).toContain(inList);
  });
});
