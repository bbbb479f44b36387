import { expect, it } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { createTranslate } from './translate.ts';

it.each([
  ['zh', '15\u00a0Credits'],
  ['en', '15\u00a0Credits'],
] as const)('no line of a page in %s breaks an amount from its unit', (language, amount) => {
  const t = createTranslate(language, { zh, en }[language]);
  expect(t('chat.modelPrice', { cost: 15 })).toBe(amount);
});

it('the words around an amount keep their spaces', () => {
  expect(createTranslate('en', en)('chat.charged', { credits: 1 })).toBe('1\u00a0Credit');
  expect(
    createTranslate('zh', zh)('statement.chartOnly', { days: 30, total: 1_505, day: '2026-11-28' }),
  ).toBe('最近 30 天共消费 1,505\u00a0Credits，都在 2026-11-28。');
});
