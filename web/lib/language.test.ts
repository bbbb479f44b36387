import { expect, it } from 'vitest';
import { pathInLanguage } from './language.ts';

it.each([
  ['/zh', '', '', '/en'],
  ['/zh/', '', '', '/en'],
  ['/zh/pricing/', '', '', '/en/pricing'],
  ['/zh/subscription', '?order=7', '#plans', '/en/subscription?order=7#plans'],
  ['/zh/chat/0199', '?lang=zh', '', '/en/chat/0199'],
  ['/en/zh', '', '', '/en/zh'],
  ['/privacy/', '', '', '/privacy?lang=en'],
  ['/profile', '?a=b&lang=zh', '#x', '/profile?a=b&lang=en#x'],
])('%s%s%s is %s in English', (pathname, search, hash, there) => {
  expect(pathInLanguage({ pathname, search, hash }, 'en')).toBe(there);
});
