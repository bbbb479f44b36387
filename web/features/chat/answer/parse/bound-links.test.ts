import { expect, test } from 'vitest';
import { boundLinks } from './bound-links.ts';

test.each([
  ['见 https://example.com/指南。后面还有', '见 <https://example.com/指南>。后面还有'],
  ['（https://example.com）', '（<https://example.com>）'],
  ['看https://a.example，再看http://b.example；', '看<https://a.example>，再看<http://b.example>；'],
  ['(https://a.example。)', '(<https://a.example>。)'],
])('%s is bound', (source, expected) => {
  expect(boundLinks(source)).toBe(expected);
});

test.each([
  'see https://example.com/a.html, then',
  '[指南](https://example.com/中，文)',
  '[https://example.com，指南](https://example.com)',
  '<https://example.com/中，文>',
  '用 `curl https://example.com，x` 试试',
  '```\ncurl https://example.com，x\n```',
  'no address。',
])('%s stays as it is', (source) => {
  expect(boundLinks(source)).toBe(source);
});
