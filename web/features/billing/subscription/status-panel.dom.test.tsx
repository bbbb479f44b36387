import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import type { BillingStatus, Subscription } from '#contract/billing.ts';
import { DAY_MS } from '#contract/time.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import { closePage, draw, openPage, shown } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { StatusPanel } from './status-panel.tsx';

const USER = { credits: 40, subscription: null } as UserRecord;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** A plan that stopped before the end of what was paid. */
const STOPPED: Subscription = {
  planKey: 'gemini_pro',
  cycle: 'monthly',
  provider: 'creem',
  active: false,
  includesComputerUse: true,
  expiresAt: Date.now() + 25 * DAY_MS,
  updatedAt: Date.now(),
};

/** The panel of somebody on Free to whom the server says when free Credits come next. */
function drawPanel(nextFreeAt?: number, freeWithheld?: string, user = USER, status: object | null = null) {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  const page = { balance: 40, entries: [], nextCursor: null, nextFreeAt, freeWithheld };
  client.setQueryData(['credits', 'entries', null], { pages: [page], pageParams: [null] });
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <StatusPanel user={user} status={status as BillingStatus | null} />
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

it('on Free, it says that the plan does not end, and on which day its Credits do', () => {
  drawPanel(Date.now() + 26.5 * DAY_MS);
  expect(shown()).toContain('Expires onNo end dateCredits valid until ');
  expect(shown()).toContain('Days left27 daysuntil your next free Credits');
});

it('where nobody knows when free Credits come next, it says that they end each month', () => {
  drawPanel();
  expect(shown()).toContain('No end dateIts Credits expire each month');
});

it.each(['domain_busy', 'address_used', 'unverified'])(
  'whoever was given no free Credits (%s) reads of none that end',
  (reason) => {
    drawPanel(Date.now() + 26.5 * DAY_MS, reason);
    expect(shown()).toContain('No end dateDays leftDoesn’t expire');
  },
);

it.each(['refunded', 'disputed'])(
  'a plan whose payment was %s has no end to come and no days left',
  (state) => {
    drawPanel(undefined, undefined, USER, { ...STOPPED, state, subscriptions: [], uncredited: [] });
    expect(shown()).toContain('Expires onNoneDays leftNone');
  },
);

it('a plan that stopped early has none either while its subscription is being read', () => {
  drawPanel(undefined, undefined, { ...USER, subscription: STOPPED });
  expect(shown()).toContain('Expires onNoneDays leftNone');
});
