import { expect, test } from 'vitest';
import { urlsIn } from './url-rules.ts';

test.each([
  ['read https://a.example/x?y=1#z please', ['https://a.example/x?y=1#z']],
  [
    '看看https://a.example/路径，再说（https://b.example/）。',
    ['https://a.example/%E8%B7%AF%E5%BE%84', 'https://b.example/'],
  ],
  ['[a](https://a.example/b) and "https://b.example".', ['https://a.example/b', 'https://b.example/']],
  ['https://a.example and HTTPS://A.example/', ['https://a.example/']],
  ['**https://a.example/**', ['https://a.example/']],
  ['```\nfetch("https://a.example/")\n```', []],
  ['http://localhost:3000/ http://127.0.0.1/ http://10.0.0.1/ http://printer.local/ http://[::1]/', []],
  ['javascript:alert(1) ftp://a.example/ file:///etc/passwd www.a.example', []],
  ['no address', []],
])('in %j the addresses are %j', (question, addresses) => {
  expect(urlsIn(question)).toEqual(addresses);
});

test('a long question holds nothing up', () => {
  const begun = process.cpuUsage();
  urlsIn('https://'.repeat(4_000) + '```'.repeat(4_000) + ')'.repeat(30_000));
  urlsIn(`https://a.example/${')'.repeat(100_000)}x`);
  expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000);
});
