import { models } from 'virtual:models';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Catalogue } from '#contract/catalogue.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage, pressKey, type } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { FirstQuestion } from './first-question.tsx';

const DICTIONARY = { zh, en } as const;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

function Place() {
  return <output>{useLocation().pathname}</output>;
}

/**
 * Draws the field of a home page whose server offers what is `offered` and takes questions of up to `promptLimit` characters; null: it
 * has not said so yet.
 */
function open(language: 'zh' | 'en', promptLimit: number | null, offered: Partial<Catalogue> = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  if (promptLimit !== null) client.setQueryData(['catalogue'], { models: [], promptLimit, ...offered });
  draw(
    <MemoryRouter initialEntries={[`/${language}`]}>
      <QueryClientProvider client={client}>
        <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
          <FirstQuestion />
          <Place />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

test.each([
  ['zh', '101 / 100 字符', '问题太长，最多 100 个字符。没有扣 Credits。'],
  [
    'en',
    '101 / 100 characters',
    'That question is too long; the limit is 100 characters. You were not charged.',
  ],
] as const)(
  'in %s a first question that is too long for this server is not taken',
  async (language, count, refusal) => {
    open(language, 100);
    const field = await find<HTMLTextAreaElement>('textarea');
    type(field, '长'.repeat(80));
    expect(all('[role=status]')).toEqual([]);
    type(field, '长'.repeat(101));
    await find('span', count);
    field.focus();
    pressKey('Enter');
    await find('[role=alert]', refusal);
    expect(field.value).toHaveLength(101);
    expect(all('output')[0]?.textContent).toBe(`/${language}`);
    type(field, '长'.repeat(100));
    await find('[role=status]');
    expect(all('[role=alert]')).toEqual([]);
    pressKey('Enter');
    await find('output', `/${language}/register`);
  },
);

test('a question longer than the usual limit is taken where the server takes longer ones', async () => {
  open('zh', 50_000);
  const field = await find<HTMLTextAreaElement>('textarea');
  type(field, '长'.repeat(40_000));
  field.focus();
  pressKey('Enter');
  await find('output', '/register');
  expect(localStorage.getItem('first-question')).toContain('长'.repeat(40_000));
});

test('no question is refused or counted before the server has said what it takes', async () => {
  open('zh', null);
  const field = await find<HTMLTextAreaElement>('textarea');
  type(field, '长'.repeat(40_000));
  field.focus();
  pressKey('Enter');
  await find('output', '/register');
  expect(all('[role=status], [role=alert]')).toEqual([]);
});

test('a first question is written in the direction of its own text', async () => {
  open('en', 100);
  expect((await find('textarea')).getAttribute('dir')).toBe('auto');
});

test('the model and the price stand beside the button before the server has said them', async () => {
  open('en', null);
  const price = await find('form p', 'Parley Flash · 15\u00a0Credits');
  expect((await find('form button')).getAttribute('aria-describedby')).toBe(price.id);
});

test.each([
  ['one that may be used', true, 'Gemini 2.5 Pro · 12\u00a0Credits'],
  ['one that may not, for which the first that may stands in', false, 'Parley Flash · 15\u00a0Credits'],
])('the price is that of the model that was chosen on this device: %s', async (_which, allowed, price) => {
  const chosen = 'gemini-2.5-pro';
  localStorage.setItem('chat.model', chosen);
  const offered = models.map((model) => (model.id === chosen ? { ...model, allowed } : model));
  open('en', 100, { models: offered, defaultModel: 'parley-flash' });
  await find('form p', price);
});
