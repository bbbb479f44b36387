import { expect, test } from 'vitest';
import { nameSource } from './name-source.ts';

const REDIRECT = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQG0b3d=';

test.each([
  ['https://a.example/guide', 'A guide', 'A guide', 'a.example'],
  ['https://a.example:8443/', 'A guide', 'A guide', 'a.example:8443'],
  ['https://a.example/', '', 'a.example', ''],
  ['https://a.example/', 'A.example', 'A.example', ''],
  // A page may call itself by the name of another one: its own host stands beside it.
  ['https://evil.example/', 'www.bank.example', 'www.bank.example', 'evil.example'],
  ['https://xn--fiq228c.example/', '一个网页', '一个网页', 'xn--fiq228c.example'],
  ['javascript:alert(1)', '', 'javascript:alert(1)', ''],
  ['javascript:alert(1)', 'A', 'A', ''],
  ['', 'A', 'A', ''],
])('of %s with the title %j the title is %j and the site %j', (url, title, shown, site) => {
  expect(nameSource({ url, title })).toEqual({ title: shown, site });
});

test.each([
  ['kyoto.travel', 'kyoto.travel', ''],
  ['WWW.Example.co.jp', 'WWW.Example.co.jp', ''],
  ['中文.example', '中文.example', 'xn--fiq228c.example'],
  // Letters that look like Latin ones.
  ['аpple.example', 'аpple.example', 'xn--pple-43d.example'],
  ['\u202Eexample.com\u0000', 'example.com', ''],
  ['Kyoto in autumn', 'Kyoto in autumn', ''],
  ['see example.com', 'see example.com', ''],
  ['example.com/path', 'example.com/path', ''],
  ['user@example.com', 'user@example.com', ''],
  ['127.0.0.1', '127.0.0.1', ''],
])(
  'behind an address of Google’s own the title %j is shown as %j on the site %j, never Google’s',
  (title, shown, site) => {
    expect(nameSource({ url: REDIRECT, title })).toEqual({ title: shown, site });
  },
);

test('a source without a title behind an address of Google’s own is its address', () => {
  expect(nameSource({ url: REDIRECT, title: ' ' })).toEqual({ title: REDIRECT, site: '' });
});

test('only that one host of Google’s leads on', () => {
  for (const url of ['https://www.google.com/a', 'https://vertexaisearch.cloud.google.com.evil.example/a']) {
    expect(nameSource({ url, title: 'kyoto.travel' }).site).toBe(new URL(url).host);
  }
});
