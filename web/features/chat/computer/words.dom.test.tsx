import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage, shown } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { Answer } from '../answer/answer.tsx';
import { ModelMenu } from '../composer/model-menu.tsx';
import { StepsMenu } from './steps-menu.tsx';

const DICTIONARY = { zh, en } as const;
const MODEL = {
  ...{ id: 'gemini-computer-use', cost: 15, computerUse: true, contextTokens: 128_000, tiers: ['pro'] },
  ...{ title: { zh: 'Computer Use', en: 'Computer Use' }, description: { zh: '操作浏览器', en: 'Drives' } },
  ...{ allowed: true, paused: false, comingSoon: false, readsImages: true, pictures: null, coveredSteps: 10 },
} as unknown as CatalogueModel;
const MESSAGE = {
  ...{ id: 'one', userId: 'me', conversationId: 'one', parentId: null, content: '看看 shop.test' },
  ...{ response: '我打不开网页。', modelType: MODEL.id, creditsUsed: 15, timestamp: 0, status: 'completed' },
  ...{ error: null, parts: [] },
} as unknown as Message;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** Draws the menu of models, what is under a message that is being written, and an answer, in a language. */
function open(lang: 'zh' | 'en', computer: 'browser' | 'words') {
  draw(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <TranslationProvider language={lang} dictionary={DICTIONARY[lang]}>
          <ModelMenu models={[{ ...MODEL, computer }]} model={{ ...MODEL, computer }} onChoose={() => {}} />
          <StepsMenu model={{ ...MODEL, computer }} options={{ chosen: {}, choose: () => {} }} />
          <Answer message={{ ...MESSAGE, computer }} pending={false} />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

test.each([
  ['zh', '浏览器不可用，只能用文字回答', '浏览器不可用，模型只用文字回答。'],
  ['en', 'No browser is available: text only', 'No browser is available, so the model answers in text only.'],
] as const)(
  'in %s it is said before and after sending that there is no browser',
  async (lang, before, after) => {
    open(lang, 'words');
    await find('p', before);
    await find('p', after);
    (await find('button', 'Computer Use')).click();
    await find('[role=menuitemradio]', before);
    expect(all('button', DICTIONARY[lang].computer.allowance)).toEqual([]);
  },
);

test.each(['zh', 'en'] as const)(
  'in %s nothing of that is said where a browser is to be had',
  async (lang) => {
    open(lang, 'browser');
    await find('button', DICTIONARY[lang].computer.allowance);
    (await find('button', 'Computer Use')).click();
    await find('[role=menuitemradio]', 'Computer Use');
    expect(shown()).not.toContain(DICTIONARY[lang].computer.words);
    expect(shown()).not.toContain(DICTIONARY[lang].computer.wordsModel);
  },
);
