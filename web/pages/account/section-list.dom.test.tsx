import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter, Outlet, Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, openPage, shown } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { type AccountContext, BillingRecords } from './account-section.tsx';
import { SectionList } from './section-list.tsx';

const USER = { email: 'lin@example.com', displayName: 'Lin', photoURL: null, credits: 40 } as UserRecord;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** The account at a path, as its user sees it, or a visitor. */
function open(path: string, user: UserRecord | null = USER) {
  const context: AccountContext = { user, onDeletion: () => {}, gate: (text) => <p>{text}</p> };
  const frame = (
    <>
      <SectionList user={USER} />
      <main>
        <Outlet context={context} />
      </main>
    </>
  );
  const records = (
    <BillingRecords head={null} title="Title" lead="Lead" signedOutText="Log in first">
      {({ email }) => <p>{email}</p>}
    </BillingRecords>
  );
  draw(
    <MemoryRouter initialEntries={[path]}>
      <QueryClientProvider client={new QueryClient()}>
        <TranslationProvider language="zh" dictionary={zh}>
          <Routes>
            <Route element={frame}>
              <Route path="*" element={records} />
            </Route>
          </Routes>
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

/** What the index marks, and how. */
const marked = () =>
  all('nav a[aria-current]').map((link) => [link.textContent, link.getAttribute('aria-current')]);

const BILLING = zh.accountPages['profile/billing'];

it.each([
  ['/profile/billing', BILLING, 'page'],
  ['/profile/devices/', zh.accountPages['profile/devices'], 'page'],
  ['/zh/credits', BILLING, 'true'],
  ['/en/orders', BILLING, 'true'],
  ['/en/subscription/', BILLING, 'true'],
  ['/zh/orders/0a1b2c3d-0000-4000-8000-000000000001', BILLING, 'true'],
])('at %s the index marks one section', (path, name, kind) => {
  open(path);
  expect(marked()).toEqual([[name, kind]]);
});

it('orders and the statement lead back to billing; to a visitor they say what is here', () => {
  open('/zh/credits');
  const back = all<HTMLAnchorElement>('main a').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(back).toEqual([[BILLING, '/profile/billing']]);
  expect(shown()).toContain(USER.email);
  closePage();
  open('/zh/credits', null);
  expect(all('main a')).toEqual([]);
  expect(shown()).toContain('Log in first');
});
