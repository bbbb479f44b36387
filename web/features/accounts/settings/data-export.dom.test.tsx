import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DataExport as Export } from '#contract/personal-data.ts';
import { DAY_MS } from '#contract/time.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import { all, closePage, draw, openPage, shown } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { DataExport } from './data-export.tsx';

const { takeout } = en;
const FORMER = 'Your earlier export from ';

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** An export of yesterday. */
function madeExport(id: string, state: Export['state']): Export {
  const isReady = state === 'ready';
  const now = Date.now();
  return {
    id,
    state,
    requestedAt: now - DAY_MS,
    size: isReady ? 1_500_000 : null,
    expiresAt: isReady ? now + 6 * DAY_MS : null,
  };
}

/** What a user sees whose exports these are, the newest first. */
function show(...exports: Export[]) {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  client.setQueryData(['exports'], { exports });
  draw(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <TranslationProvider language="en" dictionary={en}>
          <DataExport />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

const links = () => all('a').map((link) => link.getAttribute('href'));

it('a former export can be downloaded while a newer one is being made', () => {
  show(madeExport('newer', 'waiting'), madeExport('former', 'ready'));
  expect(links()).toEqual(['/api/me/export/former']);
  expect(shown()).toContain(takeout.waiting);
  expect(shown()).toContain(FORMER);
  expect(all('button', takeout.again)).toEqual([]);
});

it('a former export can be downloaded after newer ones failed', () => {
  show(madeExport('newest', 'failed'), madeExport('newer', 'failed'), madeExport('former', 'ready'));
  expect(links()).toEqual(['/api/me/export/former']);
  expect(shown()).toContain(takeout.failed);
  expect(shown()).toContain(FORMER);
  expect(all('button', takeout.again)).toHaveLength(1);
});

it('the newest export, once it is ready, is called no earlier one', () => {
  show(madeExport('newer', 'ready'), madeExport('failed', 'failed'));
  expect(links()).toEqual(['/api/me/export/newer']);
  expect(shown()).not.toContain(FORMER);
  expect(shown()).not.toContain(takeout.failed);
});

it('without a ready export there is none to download', () => {
  show(madeExport('newest', 'failed'));
  expect(links()).toEqual([]);
  expect(shown()).toContain(takeout.failed);
  expect(all('button', takeout.request)).toHaveLength(1);
});
