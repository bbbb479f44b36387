import { describe, expect, it } from 'vitest';
import { errorBody, readLanguage, translate } from './translate.ts';

const read = (acceptLanguage?: string, cookie?: string) => readLanguage({ acceptLanguage, cookie });

describe('the language of a caller', () => {
  it.each([
    [undefined, undefined, 'zh'],
    ['en', undefined, 'en'],
    ['en-US,en;q=0.9,zh;q=0.8', undefined, 'en'],
    ['zh-TW,en;q=0.9', undefined, 'zh'],
    ['fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5', undefined, 'en'],
    ['zh;q=0.2, en;q=0.7', undefined, 'en'],
    ['zh;q=0.7, en;q=0.7', undefined, 'zh'],
    ['en;q=0, zh;q=0.1', undefined, 'zh'],
    ['en;q=0', undefined, 'zh'],
    ['de', undefined, 'zh'],
    ['*', undefined, 'zh'],
    ['english', undefined, 'zh'],
    [';;q=,,=', undefined, 'zh'],
    ['zh', 'lang=en', 'en'],
    ['en', 'a=b; lang=zh-CN', 'zh'],
    ['en', 'xlang=zh', 'en'],
    ['en', 'lang=fr', 'en'],
    ['en', 'lang=', 'en'],
  ])('Accept-Language %s with the cookie %s is %s', (header, cookie, language) => {
    expect(read(header, cookie)).toBe(language);
  });
});

describe('a text', () => {
  it('has its parameters filled in, as they are', () => {
    expect(translate('zh', 'errors.insufficient_credits', { needed: 15 })).toBe(
      'Credits不足，请购买更多Credits或切换低成本模型（需 15 Credits）',
    );
    expect(translate('en', 'errors.invalid_request', { field: '<b>"&' })).toContain('<b>"&');
    expect(translate('en', 'errors.invalid_request', { field: '$t(errors.internal){{x}}' })).toContain('$t(');
  });

  it('of an error is told with its code and params', () => {
    expect(errorBody({ code: 'unauthenticated', params: {} }, 'zh')).toEqual({
      error: { code: 'unauthenticated', message: '请先登录', params: {} },
    });
  });
});
