import { plans } from 'virtual:plans';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import type { Cycle, PlanKey } from '#contract/billing.ts';
import type { Catalogue } from '#contract/catalogue.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, find, openPage } from '#test/dom/page.ts';
import { sessionQuery } from '#web/features/accounts/session/use-session.ts';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { PlansButton } from './composer-note.tsx';

const DICTIONARY = { zh, en } as const;
type Held = [PlanKey, Cycle];

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** The button of a reader who has a plan, or none, where the catalogue is this one. */
async function open(language: 'zh' | 'en', held: Held | null, other: Partial<Catalogue> = {}) {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, enabled: false } },
  });
  const subscription = held && { planKey: held[0], cycle: held[1], active: true };
  client.setQueryData(sessionQuery.queryKey, { subscription } as UserRecord);
  const catalogue = { plans, providers: ['creem'], ...other } as Catalogue;
  client.setQueryData(catalogueQuery.queryKey, catalogue);
  draw(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
          <PlansButton />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  const link = await find<HTMLAnchorElement>('a');
  const text = link.textContent.replaceAll('\u00a0', ' ');
  return { text, to: link.getAttribute('href')?.replace(/^\/(zh|en)/, '') };
}

it.each([
  ['zh', null, '查看套餐：每月 500 Credits，$6.9', '/pricing?cycle=monthly'],
  ['en', null, 'See plans: 500 Credits a month for $6.9', '/pricing?cycle=monthly'],
  ['zh', ['gemini_basic', 'monthly'], '查看套餐：每月 1,500 Credits，$11.9', '/pricing?cycle=monthly'],
  ['en', ['gemini_pro', 'monthly'], 'See plans: 18,000 Credits a year for $118.80', '/pricing?cycle=annual'],
  ['zh', ['gemini_pro', 'annual'], zh.accountPages.plans, '/pricing'],
] as const)('in %s a reader with %o is told the least that buys more', async (language, held, text, to) => {
  expect(await open(language, held as Held | null)).toEqual({ text, to });
});

it('a price that the server says is the price of the button', async () => {
  const dearer = plans.map((plan) => ({
    ...plan,
    prices: plan.prices.map((price) => ({ ...price, totalUSD: price.totalUSD * 10, credits: 7 })),
  }));
  const { text } = await open('en', null, { plans: dearer });
  expect(text).toBe('See plans: 7 Credits a month for $69.0');
});

it('where nothing can be paid for, no price is named', async () => {
  expect(await open('zh', null, { providers: [] })).toEqual({ text: zh.accountPages.plans, to: '/pricing' });
});
