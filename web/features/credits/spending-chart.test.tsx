import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Spending } from '#contract/credits.ts';
import { DAY_MS } from '#contract/time.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { SpendingChart } from './spending-chart.tsx';

const TODAY = new Date().setHours(0, 0, 0, 0);

function drawSpending(quarters: Spending['quarters']): string {
  const client = new QueryClient();
  client.setQueryData(['credits', 'spending'], { from: TODAY - 31 * DAY_MS, quarters });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <SpendingChart />
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

const spent = (daysAgo: number, credits: number) => ({ at: TODAY - daysAgo * DAY_MS, credits });

test('what was spent on one day alone is said in words', () => {
  const page = drawSpending([spent(0, 15), spent(0, 8)]);
  expect(page).toMatch(/^<p [^>]*>23\sCredits spent in the last 30 days, all on [^<]+\.<\/p>$/);
});

test('what was spent on several days is drawn', () => {
  expect(drawSpending([spent(3, 45), spent(0, 15)]).match(/<rect/g)).toHaveLength(30);
});
