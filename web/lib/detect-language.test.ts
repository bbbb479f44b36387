import { expect, it } from 'vitest';
import { chooseLanguage, type LanguageTraces } from './detect-language.ts';

const NONE: LanguageTraces = { pathname: '/privacy', search: '', cookie: '', stored: null, navigator: [] };

it('lets the path win', () => {
  const all = { search: '?lang=zh', cookie: 'lang=zh', stored: 'zh', navigator: ['zh-CN'] };
  expect(chooseLanguage({ pathname: '/en/chat', ...all })).toBe('en');
});

it('asks query, cookie, storage and browser in this order', () => {
  const order = { search: '?lang=en', cookie: 'a=b; lang=zh', stored: 'en', navigator: ['zh-CN'] };
  expect(chooseLanguage({ ...NONE, ...order })).toBe('en');
  expect(chooseLanguage({ ...NONE, ...order, search: '' })).toBe('zh');
  expect(chooseLanguage({ ...NONE, ...order, search: '', cookie: 'xlang=zh' })).toBe('en');
  expect(chooseLanguage({ ...NONE, navigator: ['zh-CN'] })).toBe('zh');
});

it('passes over languages that are not ours', () => {
  expect(chooseLanguage({ ...NONE, search: '?lang=fr', navigator: ['fr-FR', 'en-GB', 'zh'] })).toBe('en');
  expect(chooseLanguage({ ...NONE, navigator: ['fr', 'de'] })).toBe('zh');
});

it('reads any spelling of a tag', () => {
  expect(chooseLanguage({ ...NONE, navigator: ['zh-Hans-CN'] })).toBe('zh');
  expect(chooseLanguage({ ...NONE, stored: 'EN_us' })).toBe('en');
});

it('is Chinese by default, and on every path that leads to the Chinese home', () => {
  expect(chooseLanguage(NONE)).toBe('zh');
  for (const pathname of ['/', '/fr/pricing', '/nowhere'])
    expect(chooseLanguage({ ...NONE, pathname, navigator: ['en'] })).toBe('zh');
});
