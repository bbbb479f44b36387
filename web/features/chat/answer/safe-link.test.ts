import { expect, test } from 'vitest';
import { disguisedHost, safeAddress } from './safe-link.ts';

test.each(['https://example.com/a', 'http://例子.测试', 'mailto:a@example.com'])(
  '%s may be followed',
  (href) => {
    expect(safeAddress(href)).not.toBeNull();
  },
);

test.each([
  'javascript:alert(1)',
  'ftp://example.com',
  'file:///etc/passwd',
  '/profile',
  'tel:110',
  'weixin://x',
  'data:text/html,x',
])('%s may not be followed', (href) => {
  expect(safeAddress(href)).toBeNull();
});

const told = (href: string, text: string) => disguisedHost(new URL(href), text);

test('a text that names another host than the link leads to is found out', () => {
  expect(told('https://evil.example/x', 'https://bank.example.com')).toBe('evil.example');
  expect(told('https://evil.example', '登录 bank.com 查看')).toBe('evil.example');
  expect(told('https://bank.com@evil.example', 'https://bank.com@evil.example')).toBe('evil.example');
  expect(told('https://xn--pple-43d.com', 'apple.com')).toBe('xn--pple-43d.com');
});

test('a text that names no host or the right one is left alone', () => {
  expect(told('https://www.example.com/a', 'example.com')).toBeNull();
  expect(told('https://example.com/a', 'https://example.com/a')).toBeNull();
  expect(told('https://例子.测试/', '例子.测试')).toBeNull();
  expect(told('https://example.com', '官方文档')).toBeNull();
  expect(told('https://example.com', 'see chapter 1.2')).toBeNull();
  expect(told('mailto:a@b.example', 'c@d.example')).toBeNull();
});
