import { afterEach, beforeEach, expect, it } from 'vitest';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, openPage, shown } from '#test/dom/page.ts';
import { keepFirstQuestion } from '#web/features/chat/composer/first-question.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { KeptQuestion } from './kept-question.tsx';

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

function open() {
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <KeptQuestion />
    </TranslationProvider>,
  );
}

it('a question that waits is shown on the way to an account', () => {
  keepFirstQuestion('海水为什么是咸的？');
  open();
  expect(shown()).toBe('你的问题已保留：海水为什么是咸的？');
});

it('nothing is said where no question waits', () => {
  open();
  expect(shown()).toBe('');
});
