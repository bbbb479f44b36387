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

const hostOf = (href: string, text: string) => disguisedHost(new URL(href), text);

test('a text that names another host than the link leads to is found out', () => {
  expect(hostOf('https://evil.example/x', 'https://bank.example.com')).toBe('evil.example');
  expect(hostOf('https://evil.example', '登录 bank.com 查看')).toBe('evil.example');
  expect(hostOf('https://bank.com@evil.example', 'https://bank.com@evil.example')).toBe('evil.example');
  expect(hostOf('https://xn--pple-43d.com', 'apple.com')).toBe('xn--pple-43d.com');
});

test('a text that names no host or the right one is left alone', () => {
  expect(hostOf('https://www.example.com/a', 'example.com')).toBeNull();
  expect(hostOf('https://example.com/a', 'https://example.com/a')).toBeNull();
  expect(hostOf('https://例子.测试/', '例子.测试')).toBeNull();
  expect(hostOf('https://example.com', '官方文档')).toBeNull();
  expect(hostOf('https://example.com', 'see chapter 1.2')).toBeNull();
  expect(hostOf('mailto:a@b.example', 'c@d.example')).toBeNull();
});
