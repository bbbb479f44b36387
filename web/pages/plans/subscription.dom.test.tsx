import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import SubscriptionPage from './subscription.tsx';

const USER = { email: 'lin@example.com', credits: 40, subscription: null } as UserRecord;
const FREE = { active: false, planKey: null, subscriptions: [], uncredited: [], providers: ['creem'] };
const BACK = [zh.accountPages['profile/billing'], '/profile/billing'];

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

it.each([
  ['leads its user back to billing', USER, [BACK]],
  ['leads a visitor nowhere back', null, []],
])('the subscription page %s', (_, user, links) => {
  const client = new QueryClient({
    defaultOptions: { queries: { enabled: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  client.setQueryData(['me'], user);
  client.setQueryData(['billing', 'status'], FREE);
  draw(
    <MemoryRouter initialEntries={['/zh/subscription']}>
      <QueryClientProvider client={client}>
        <TranslationProvider language="zh" dictionary={zh}>
          <SubscriptionPage />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  const back = all<HTMLAnchorElement>('a[href^="/profile"]');
  expect(back.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(links);
});
