import { expect, test } from 'vitest';
import { composeAddress, composeLine, composeSource } from './compose-line.ts';

test.each([
  ['javascript:alert(1)', 'Title'],
  ['JaVaScRiPt:alert(1)', 'Title'],
  ['data:text/html,<script>', 'Title'],
  [' javascript:alert(1)', 'Title'],
  ['', 'Title'],
])('a source at %j leads nowhere', (url, line) => {
  expect(composeSource({ url, title: 'Title' })).toBe(line);
});

test('a source stays one link of Markdown, whatever its title and address say', () => {
  const title = 'a](javascript:x) <img src=x>\n# `b`';
  expect(composeSource({ url: 'https://a.example/>\n<x y', title })).toBe(
    '[a\\](javascript:x) \\<img src=x\\># \\`b\\`](<https://a.example/%3E%0A%3Cx%20y>) · a.example',
  );
});

test('only an address of the web can be followed', () => {
  expect(composeAddress('https://a.example/b')).toBe('<https://a.example/b>');
  expect(composeAddress('javascript:alert(1)')).toBe('javascript:alert(1)');
});

test.each([
  ['**sale** 5*3*2', '\\*\\*sale\\*\\* 5\\*3\\*2'],
  ['_new_ __a__ a_b_c 价_格', '\\_new\\_ \\_\\_a\\_\\_ a_b_c 价_格'],
  ['~~¥99~~', '\\~\\~¥99\\~\\~'],
  ['&lt;b&gt; &#60; AT&T; R&D', '\\&lt;b\\&gt; \\&#60; AT\\&T; R&D'],
])('%s is text in Markdown, and no more', (text, written) => {
  expect(composeLine(text)).toBe(written);
});
