import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BillingStatus, Order } from '#contract/billing.ts';
import { DAY_MS } from '#contract/time.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import { closePage, draw, find, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { SubscriptionState } from '#web/pages/plans/subscription-state.tsx';
import { billingQuery } from '../checkout/use-billing.ts';
import type { Offer } from '../checkout/use-offer.ts';
import { receiptQuery } from '../orders/order-query.ts';
import { MemberBuyButton } from '../plans/member-buy-button.tsx';
import { HeldList } from './held-subscription.tsx';

const { subscription, pricing } = en;
const ORDER_ID = '0a1b2c3d-0000-4000-8000-000000000001';
const UNTIL = Date.now() + 20 * DAY_MS;
const SHOWN = {
  ...{ planKey: 'gemini_pro', cycle: 'monthly', provider: 'creem', active: true, state: 'active' },
  ...{ orderId: ORDER_ID, expiresAt: UNTIL, updatedAt: 0, renews: true, canCancel: true, canResume: false },
};
const STATUS = {
  ...{ ...SHOWN, subscriptions: [SHOWN], uncredited: [], checkoutBlocked: null, providers: ['creem'] },
  ...{ wish: null, portal: null },
} as unknown as BillingStatus;
/** After its end was asked for, for a lower plan. */
const ENDING = {
  ...{ ...STATUS, subscriptions: [{ ...SHOWN, state: 'scheduled_cancel', renews: false, canCancel: false }] },
  wish: {
    planKey: 'gemini_basic',
    cycle: 'monthly',
    orderId: ORDER_ID,
    from: UNTIL,
    until: UNTIL,
    open: false,
  },
} as unknown as BillingStatus;

let server: Server;
let client: QueryClient;

beforeEach(async () => {
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(ENDING));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(billingQuery.queryKey, STATUS);
});
afterEach(() => {
  closePage();
  client.clear();
  server.closeAllConnections();
  server.close();
});

function show(screen: ReactNode) {
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <MemoryRouter initialEntries={[`/subscription?order=${ORDER_ID}`]}>{screen}</MemoryRouter>
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

/** Presses a button as a reader does, who has the focus on it. */
async function press(name: string) {
  const button = await find<HTMLButtonElement>('button', name);
  button.focus();
  button.click();
}

const focusIsIn = (text: string) =>
  vi.waitFor(() => {
    expect(document.activeElement).not.toBe(document.body);
    expect(document.activeElement?.textContent).toContain(text);
  }, PATIENT);

function Held() {
  const { data } = useQuery({ ...billingQuery, enabled: false });
  return data ? <HeldList status={data} /> : null;
}

function Lower() {
  const { data } = useQuery({ ...billingQuery, enabled: false });
  const offer = {
    billing: { state: 'known', status: data },
    choice: { cycle: 'monthly', provider: 'creem', wanted: null, choose: () => {} },
    providers: ['creem'],
  } as unknown as Offer;
  return <MemberBuyButton offer={offer} label="Pay" busyLabel="Paying" fixed={false} plan="gemini_basic" />;
}

test('a subscription that was cancelled has the focus that its button had', async () => {
  show(<Held />);
  await press(subscription.cancel);
  await press(subscription.cancelConfirm);
  await focusIsIn('Won’t renew');
});

test('a subscription that renews again has the focus that its button had', async () => {
  const ending = { ...SHOWN, state: 'scheduled_cancel', renews: false, canCancel: false, canResume: true };
  client.setQueryData(billingQuery.queryKey, { ...STATUS, subscriptions: [ending] } as never);
  show(<Held />);
  await press(subscription.resume);
  await focusIsIn('Won’t renew');
});

test('the note of a switch that was planned has the focus that its button had', async () => {
  show(<Lower />);
  await press('Switch to');
  await press(pricing.laterConfirm);
  await focusIsIn('Nothing is charged today. From');
});

test('the heading beneath news that was read has the focus that its button had', async () => {
  const paid = { id: ORDER_ID, planKey: 'gemini_pro', cycle: 'monthly', provider: 'creem', status: 'paid' };
  const times = {
    createdAt: Date.now(),
    paidAt: Date.now(),
    uncredited: null,
    confirming: false,
    credits: 2000,
  };
  client.setQueryData(receiptQuery(ORDER_ID).queryKey, {
    order: { ...paid, ...times } as Order,
    charges: [],
  });
  const user = { id: 'user', credits: 2000, subscription: null };
  client.setQueryData(['me'], user);
  show(<SubscriptionState session={{ state: 'signed-in', user } as never} />);
  await press(subscription.returnSeen);
  await focusIsIn(subscription.statusTitle);
});
