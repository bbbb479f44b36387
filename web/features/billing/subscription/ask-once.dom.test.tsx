import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BillingStatus, HeldSubscription } from '#contract/billing.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import { all, closePage, draw, find, give, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { billingQuery } from '../checkout/use-billing.ts';
import { DowngradeDialog } from '../plans/downgrade-dialog.tsx';
import { CancelDialog } from './cancel-dialog.tsx';

const { subscription, pricing } = en;
const HELD = {
  ...{ orderId: 'order', planKey: 'gemini_pro', cycle: 'monthly', provider: 'creem' },
  ...{ active: true, renews: true, expiresAt: Date.now() + 86_400_000 },
} as HeldSubscription;

let server: Server;
let client: QueryClient;
/** Lets the server refuse what it was asked to do. */
let refuse: () => void;
/** How often the plan was bought at once. */
let bought: number;

beforeEach(async () => {
  bought = 0;
  const mayAnswer = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  server = createServer(async (_, response) => {
    await mayAnswer;
    response.writeHead(502, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'internal' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  closePage();
  client.clear();
  refuse();
  server.closeAllConnections();
  server.close();
});

function Opened({ dialog }: { dialog: (open: boolean, close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(true);
  return dialog(open, () => setOpen(false));
}

function show(dialog: (open: boolean, close: () => void) => ReactNode) {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(billingQuery.queryKey, {} as BillingStatus);
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <MemoryRouter>
          <Opened dialog={dialog} />
        </MemoryRouter>
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

const showCancel = (isFinal = false) =>
  show((open, onClose) => (
    <CancelDialog
      held={{ ...HELD, offersResume: !isFinal }}
      hasOther={false}
      open={open}
      onClose={onClose}
      onDone={onClose}
    />
  ));
const showDowngrade = (isFinal = false) =>
  show((open, onClose) => (
    <DowngradeDialog
      to={{ planKey: 'gemini_basic', cycle: 'monthly' }}
      from={{ planKey: 'gemini_pro', cycle: 'monthly' }}
      opens={Date.now()}
      until={Date.now() + 86_400_000}
      isFinal={isFinal}
      open={open}
      onClose={onClose}
      onDone={onClose}
      onBuyNow={() => {
        bought += 1;
      }}
    />
  ));

test.each([
  [
    'a cancellation',
    () => showCancel(),
    subscription.cancelConfirm,
    subscription.cancelKeep,
    'wasn’t canceled',
  ],
  ['a switch', () => showDowngrade(), pricing.laterConfirm, pricing.laterClose, 'Couldn’t plan the switch'],
])(
  'the question about %s stays until it is answered, and says that it failed',
  async (_, open, act, keep, problem) => {
    open();
    (await find('dialog[open] button', act)).click();
    await vi.waitFor(() => expect(all('[aria-busy]')).toHaveLength(1), PATIENT);
    give(await find('dialog[open]'), 'cancel', {});
    (await find('button', keep)).click();
    expect(all('dialog[open]')).toHaveLength(1);
    refuse();
    await find('dialog[open]', problem);
    expect(client.getQueryState(billingQuery.queryKey)?.isInvalidated).toBe(true);
    (await find('button', keep)).click();
    await vi.waitFor(() => expect(all('dialog[open]')).toEqual([]), PATIENT);
  },
);

test('nothing is bought at once while a later switch is being planned', async () => {
  showDowngrade();
  (await find('dialog[open] button', pricing.laterConfirm)).click();
  await vi.waitFor(() => expect(all('[aria-busy]')).toHaveLength(1), PATIENT);
  (await find('button', 'Switch now')).click();
  expect([bought, all('dialog[open]').length]).toEqual([0, 1]);
});

test.each([
  ['a cancellation', showCancel],
  ['a switch', showDowngrade],
])('%s that cannot be taken back says so before it is done', async (_, open) => {
  const [final = ''] = subscription.final.split('{{plan}}');
  open();
  expect((await find('dialog[open]')).textContent).not.toContain(final);
  closePage();
  open(true);
  expect((await find('dialog[open]')).textContent).toContain(final);
});
