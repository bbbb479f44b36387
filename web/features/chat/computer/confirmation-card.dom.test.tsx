import { createRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConfirmationPart } from '#contract/message/parts.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { ConfirmationCard } from './confirmation-card.tsx';

const DICTIONARY = { zh, en } as const;
const computer = { act: async () => true, isBusy: false, stop: () => {}, input: () => {} };

beforeEach(() => openPage('http://localhost'));
afterEach(() => {
  vi.restoreAllMocks();
  closePage();
});

function open(lang: 'zh' | 'en', asked: ConfirmationPart, url: string) {
  draw(
    <TranslationProvider language={lang} dictionary={DICTIONARY[lang]}>
      <ConfirmationCard asked={asked} url={url} computer={computer} after={createRef<HTMLElement>()} />
    </TranslationProvider>,
  );
}

test.each([
  ['zh', 'password', '要在 shop.test 填写密码吗？', '模型要在这一栏输入内容'],
  ['zh', 'card', '要在 shop.test 填写付款信息吗？', '模型要在这一栏输入内容'],
  ['zh', 'code', '要在 shop.test 填写验证码吗？', '模型要在这一栏输入内容'],
  ['zh', 'frame', '要操作 shop.test 页面里的内嵌内容吗？', '这部分内容无法检查'],
  ['zh', undefined, '要在 shop.test 填写密码或付款信息吗？', '模型要在这一栏输入内容'],
  ['en', 'frame', 'Use embedded content on shop.test?', 'can’t be checked'],
  ['en', 'code', 'Enter a verification code on shop.test?', 'type into this field'],
] as const)(
  'in %s a question about a field of the kind %s asks for that',
  async (lang, field, title, text) => {
    const params = { site: 'shop.test', page: 'shop.test', ...(field ? { field } : {}) };
    const asked = {
      ...({ kind: 'confirmation', id: '0', reason: 'sensitive_field', state: 'waiting', params } as const),
      expiresAt: Date.now() + 60_000,
    };
    open(lang, asked, 'http://shop.test/');
    expect((await find('h3')).textContent).toBe(title);
    await find('section', text);
  },
);

test.each([
  ['zh', 'https://shop.test/zh/tasting?n=2', '模型认为，在 shop.test/zh/tasting 的这一步需要你同意。'],
  ['zh', '', '模型认为这一步需要你同意。'],
  ['en', 'https://shop.test/', 'The model says this step on shop.test needs your approval.'],
  ['en', 'about:blank', 'The model says this step needs your approval.'],
] as const)(
  'in %s the model’s own question says that it is about the page at “%s”',
  async (lang, url, text) => {
    const params = { text: 'This registers Alex Lin.' };
    open(
      lang,
      {
        ...{ kind: 'confirmation', id: '0', reason: 'provider', state: 'waiting', params },
        expiresAt: Date.now() + 60_000,
      } as ConfirmationPart,
      url,
    );
    await find('section', text);
  },
);

test('a question can be denied at once, and allowed when it could be read', async () => {
  const asked: ConfirmationPart = {
    ...({
      kind: 'confirmation',
      id: '0',
      reason: 'new_site',
      state: 'waiting',
      params: { site: 'shop.test' },
    } as const),
    expiresAt: Date.now() + 60_000,
  };
  open('zh', asked, 'http://shop.test/');
  await find('button', zh.computer.ask.deny);
  const disabled = () => all<HTMLButtonElement>('button').map((button) => button.disabled);
  expect(disabled()).toEqual([false, true]);
  await vi.waitFor(() => expect(disabled()).toEqual([false, false]), PATIENT);
});

test.each([
  ['that is in sight', 100, 1],
  ['whose reader is elsewhere', -900, 0],
] as const)('a question of a run %s comes into sight so many times', async (_, top, times) => {
  const moved = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue();
  const run = document.createElement('div');
  run.getBoundingClientRect = () => new DOMRect(0, top, 300, 400);
  const params = { steps: 10, credits: 15 };
  const asked = {
    ...({ kind: 'confirmation', id: '0', reason: 'more_steps', state: 'waiting', params } as const),
    expiresAt: Date.now() + 60_000,
  };
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <ConfirmationCard asked={asked} url="" computer={computer} after={{ current: run }} />
    </TranslationProvider>,
  );
  await find('section', '要继续吗');
  expect(moved).toHaveBeenCalledTimes(times);
});
