import { plans } from 'virtual:plans';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { PlanCards } from './plan-cards.tsx';

const DICTIONARY = { zh, en } as const;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** What each card says of models, line by line. */
function modelLines(language: 'zh' | 'en', shown = plans): string[][] {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
        <PlanCards cycle="annual" headingLevel="h2" plans={shown} />
      </TranslationProvider>
    </QueryClientProvider>,
  );
  const rows = all('li ul > li:nth-child(2) > div');
  return rows.map((row) => [...row.childNodes].map(({ textContent }) => textContent ?? ''));
}

it('a card says how many models it has, and names those that the card before lacks', () => {
  expect(modelLines('en')).toEqual([
    ['2 models', 'Parley Flash', 'Gemini 2.5 Flash-Lite'],
    ['5 models', 'All Free models, plus', 'Parley Pro', 'Gemini 2.5 Flash', 'Gemini 3.1 Flash Image'],
    ['7 models', 'All Basic models, plus', 'Gemini 2.5 Pro', 'Gemini Computer Use'],
  ]);
});

it('the first card that is shown names all of its models', () => {
  const [basic, pro] = modelLines('zh', plans.slice(1));
  expect(basic).toEqual([
    '5 个模型',
    '对谈 Pro',
    '对谈 Flash',
    'Gemini 2.5 Flash',
    'Gemini 2.5 Flash-Lite',
    'Gemini 3.1 Flash Image',
  ]);
  expect(pro?.[1]).toBe('含基础版全部模型，另有：');
});
