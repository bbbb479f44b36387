import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { createTranslate } from '#web/lib/translate.ts';
import { RegenerateMenu } from './regenerate-menu.tsx';
import { type TurnActions, TurnContext } from './turn-actions.ts';

const DICTIONARY = { zh, en } as const;
const MODELS = [
  modelOf('blind', 5, {}),
  modelOf('seeing', 8, { readsImages: true }),
  modelOf('other', 20, { readsImages: true }),
  modelOf('paused', 8, { readsImages: true, paused: true }),
  modelOf('elsewhere', 8, { readsImages: true, allowed: false }),
];

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

function modelOf(id: string, cost: number, over: Partial<CatalogueModel>): CatalogueModel {
  const tools = { search: false, code: false, addresses: false };
  return {
    ...{ id, title: { zh: id, en: id }, description: { zh: '', en: '' }, cost, contextTokens: 128_000 },
    ...{ tiers: ['free'], comingSoon: false, computerUse: false, computer: null, efforts: [], tools },
    ...{
      laterCosts: [],
      pictures: null,
      coveredSteps: null,
      allowed: true,
      paused: false,
      missingSetting: null,
      readsImages: false,
    },
    ...over,
  };
}

/** Opens the menu beneath an answer; the ids of the models that it offers, in their order. */
async function open(language: 'zh' | 'en', over: Partial<Message>) {
  const t = createTranslate(language, DICTIONARY[language]);
  const askBeside = vi.fn(async () => true);
  const message = { id: 'm', modelType: 'other', content: '?', quote: { max: 20, lines: [] }, ...over };
  draw(
    <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
      <TurnContext value={{ models: MODELS, askBeside } as unknown as TurnActions}>
        <RegenerateMenu message={message as unknown as Message} />
      </TurnContext>
    </TranslationProvider>,
  );
  (await find('button', t('chat.regenerate'))).click();
  await find('[role=menuitem]', 'other');
  const items = all('[role=menuitem]');
  const offered = items.map(({ textContent }) => MODELS.find(({ id }) => textContent?.startsWith(id))?.id);
  return { offered, items, askBeside, message };
}

const TEXT = { kind: 'text', text: '?' } as const;
const PICTURE = { kind: 'image', fileId: 'photo' } as const;
const FILE = { kind: 'file', fileId: 'notes', name: 'notes.txt', type: 'text/plain' } as const;

describe.each(['zh', 'en'] as const)('asking again, in %s', (language) => {
  test('about a picture offers the models that see it, its own first, and asks the chosen one', async () => {
    const { offered, items, askBeside, message } = await open(language, {
      inputParts: [TEXT, PICTURE, FILE],
    });
    expect(offered).toEqual(['other', 'seeing']);
    items[1]?.click();
    expect(askBeside.mock.calls).toEqual([[message, { model: MODELS[1] }]]);
  });

  test.each([
    ['a text', undefined],
    ['a file', [TEXT, FILE]],
  ])('about %s offers all that the user may use now', async (_name, inputParts) => {
    const { offered } = await open(language, inputParts ? { inputParts } : {});
    expect(offered).toEqual(['other', 'blind', 'seeing']);
  });
});
