import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, draw, openPage, shown } from '#test/dom/page.ts';
import { useOffer } from './use-offer.ts';

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

type Left = Parameters<typeof useOffer>[0];

function Choice({ left }: { left: Left }) {
  const { choice } = useOffer(left);
  return `${choice.cycle} by ${choice.provider}`;
}

/** Shows how a visitor would pay at an address, after a purchase that was left. */
function open(left: Left, address = '/') {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(['me'], null);
  draw(
    <MemoryRouter initialEntries={[address]}>
      <QueryClientProvider client={client}>
        <Choice left={left} />
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

test('the year and the first provider are chosen where nothing else is known', () => {
  open(null);
  expect(shown()).toBe('annual by creem');
});

test('a purchase that was left is offered as it was to be paid', () => {
  open({ cycle: 'monthly', provider: 'bagelpay' });
  expect(shown()).toBe('monthly by bagelpay');
});

test('what the address says goes before a purchase that was left', () => {
  open({ cycle: 'monthly', provider: 'bagelpay' }, '/?cycle=annual&provider=creem');
  expect(shown()).toBe('annual by creem');
});
