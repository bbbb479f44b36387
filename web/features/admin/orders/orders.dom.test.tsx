import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import admin from '#i18n/en/admin.json' with { type: 'json' };
import common from '#i18n/en/common.json' with { type: 'json' };
import { closePage, draw, find, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { OrdersScreen } from './orders.tsx';

const DICTIONARY = { ...common, admin };
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ uncredited: [], orders: [], nextCursor: null }));
});
let client: QueryClient;

beforeEach(async () => {
  asked.length = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client = new QueryClient();
});
afterEach(async () => {
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), PATIENT);
  closePage();
  server.close();
});

test('the choice of a state keeps the focus while the orders of that state are read', async () => {
  draw(
    <TranslationProvider language="en" dictionary={DICTIONARY}>
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <OrdersScreen />
        </MemoryRouter>
      </QueryClientProvider>
    </TranslationProvider>,
  );
  const choice = await find<HTMLSelectElement>('select');
  choice.focus();
  choice.value = 'paid';
  choice.dispatchEvent(new Event('change', { bubbles: true }));
  await vi.waitFor(() => expect(asked).toContain('/api/admin/orders?status=paid'), PATIENT);
  expect(document.activeElement).toBe(choice);
});
