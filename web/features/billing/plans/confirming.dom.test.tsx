import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BillingStatus, Order } from '#contract/billing.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, openPage, shown } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import type { Offer } from '../checkout/use-offer.ts';
import { receiptQuery } from '../orders/order-query.ts';
import { ConfirmingNote, MemberBuyButton } from './member-buy-button.tsx';

const DICTIONARY = { zh, en } as const;
const ORDER_ID = '0a1b2c3d-0000-4000-8000-000000000001';
const STATUS = {
  ...{ subscriptions: [], uncredited: [], checkoutBlocked: null, providers: ['creem'], wish: null },
  ...{ active: false, planKey: null, cycle: null, expiresAt: null },
} as unknown as BillingStatus;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** The plans of a reader who came back from an order, which is none where it is null. */
function open(order: Partial<Order> | null, status: object = {}, language: 'zh' | 'en' = 'zh') {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const known = { id: ORDER_ID, createdAt: Date.now(), confirming: false, uncredited: null, ...order };
  client.setQueryData(receiptQuery(ORDER_ID).queryKey, { order: known as Order, charges: [] });
  const offer = {
    billing: { state: 'known', status: { ...STATUS, ...status } },
    choice: { cycle: 'monthly', provider: 'creem', wanted: null, choose: () => {} },
    providers: ['creem'],
  } as unknown as Offer;
  const words = { offer, label: 'Pay', busyLabel: 'Paying', fixed: true };
  draw(
    <MemoryRouter initialEntries={[order ? `/?order=${ORDER_ID}` : '/']}>
      <QueryClientProvider client={client}>
        <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
          <ConfirmingNote billing={offer.billing} />
          <MemberBuyButton {...words} plan="gemini_basic" />
          <MemberBuyButton {...words} plan="gemini_pro" primary />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

const buttons = () => all<HTMLButtonElement>('button');
const isAccent = () => buttons().map(({ className }) => className.includes('bg-accent'));

test.each(['zh', 'en'] as const)(
  'while a payment is confirmed no plan is sold, and %s says why',
  (language) => {
    open({ status: 'open' }, {}, language);
    expect(shown()).toContain(DICTIONARY[language].pricing.waitConfirming);
    expect(buttons().map(({ disabled }) => disabled)).toEqual([true, true]);
    expect(isAccent()).toEqual([false, false]);
  },
);

test('a subscription that waits for its payment keeps the other plan from being sold too', () => {
  const held = { planKey: 'gemini_basic', cycle: 'monthly', state: 'pending', updatedAt: Date.now() };
  open(null, { subscriptions: [{ ...held, orderId: ORDER_ID, active: false, renews: true }] });
  expect(buttons().map(({ disabled }) => disabled)).toEqual([true, true]);
});

test('a purchase that was left can be made again, and its own next step is the only accent', () => {
  open({ status: 'abandoned' });
  expect(shown()).not.toContain(zh.pricing.waitConfirming);
  expect(buttons().map(({ disabled }) => disabled)).toEqual([false, false]);
  expect(isAccent()).toEqual([false, false]);
});

test('without an order in the address the plan that is recommended has the accent', () => {
  open(null);
  expect(isAccent()).toEqual([false, true]);
});

test('the plan that is in use says so once, at the top of its card', () => {
  const held = { planKey: 'gemini_basic', cycle: 'monthly', state: 'active', active: true, renews: true };
  open(null, { ...held, subscriptions: [{ ...held, orderId: ORDER_ID }] });
  expect(buttons()[0]?.disabled).toBe(true);
  expect(shown()).not.toContain(zh.pricing.current);
});
