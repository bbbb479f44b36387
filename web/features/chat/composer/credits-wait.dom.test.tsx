import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, openPage, shown } from '#test/dom/page.ts';
import { entriesQuery } from '#web/features/credits/entries-query.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { CreditsWait } from './credits-wait.tsx';

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

function open(isAnswered: boolean, page?: object) {
  const client = new QueryClient({
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, queryFn: () => new Promise(() => {}) },
    },
  });
  client.setQueryData(['me'], null);
  if (page) client.setQueryData(entriesQuery(null).queryKey, { pages: [page as never], pageParams: [null] });
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="zh" dictionary={zh}>
        <CreditsWait note="不够" plans="套餐" isAnswered={isAnswered} />
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

test('plans are offered before the first answer only once it is known that no mail is waited for', () => {
  open(false);
  expect(shown()).toBe('不够');
  closePage();
  open(false, { entries: [] });
  expect(shown()).toBe('不够套餐');
  closePage();
  open(true);
  expect(shown()).toBe('不够套餐');
});
