import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { ModelMenu } from './model-menu.tsx';

const DICTIONARY = { zh, en } as const;
const MODEL = {
  ...{ id: 'flash', cost: 15, contextTokens: 64_000, tiers: ['basic', 'pro'], computer: null },
  ...{ title: { zh: 'Flash', en: 'Flash' }, description: { zh: '又快又好。', en: 'Fast and good.' } },
  ...{ allowed: true, paused: false, comingSoon: false, readsImages: true, pictures: null },
} as unknown as CatalogueModel;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

test.each([
  ['zh', {}, 'Flash15\u00a0Credits又快又好。'],
  ['en', {}, 'Flash15\u00a0CreditsFast and good.'],
  ['zh', { readsImages: false }, 'Flash15\u00a0Credits又快又好。 看不了图片'],
  ['en', { readsImages: false }, 'Flash15\u00a0CreditsFast and good. Can’t read images'],
  ['zh', { allowed: false }, 'Flash15\u00a0Credits又快又好。 升级后可用 基础版及以上'],
  ['en', { paused: true }, 'Flash15\u00a0CreditsFast and good. Temporarily unavailable'],
] as const)(
  'in %s a model with %o has its name, price and use, and only what it lacks',
  async (language, other, text) => {
    const model = { ...MODEL, ...other };
    draw(
      <MemoryRouter>
        <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
          <ModelMenu models={[model]} model={model} onChoose={() => {}} />
        </TranslationProvider>
      </MemoryRouter>,
    );
    (await find('button', 'Flash')).click();
    expect((await find('[role=menuitemradio]')).textContent).toBe(text);
  },
);

test('models that a plan unlocks stand behind those of the reader, beneath the name of the plan', async () => {
  const models = [
    { ...MODEL, id: 'a', allowed: false },
    { ...MODEL, id: 'b', allowed: false, tiers: ['pro'] },
    { ...MODEL, id: 'c' },
  ] as CatalogueModel[];
  draw(
    <MemoryRouter>
      <TranslationProvider language="zh" dictionary={zh}>
        <ModelMenu models={models} model={models[2]} onChoose={() => {}} />
      </TranslationProvider>
    </MemoryRouter>,
  );
  (await find('button', 'Flash')).click();
  await find('[role=menuitemradio]');
  const groups = [...document.querySelectorAll('[role=menu] [role=group] [role=group] > p')];
  expect(groups.map(({ textContent }) => textContent)).toEqual([
    '升级后可用 · 基础版及以上',
    '升级后可用 · 仅专业版',
  ]);
  const off = [...document.querySelectorAll('[role=menuitemradio]')].map((row) =>
    row.getAttribute('aria-disabled'),
  );
  expect(off).toEqual([null, 'true', 'true']);
  const described = all('[role=menuitemradio]').filter((row) => row.querySelector('span.block'));
  expect(described.map(({ textContent }) => textContent)).toEqual(['Flash15\u00a0Credits又快又好。']);
  expect(all('[role=menu] > p').at(-1)).toBe(document.querySelector('[role=menu]')?.lastElementChild);
});
