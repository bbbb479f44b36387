import { expect, test } from 'vitest';
import { titleFrom, titleRequest } from './title-rules.ts';

test.each([
  ['Weekly reports', 'Weekly reports'],
  ['  "Weekly reports."  ', 'Weekly reports'],
  ['“周报的写法”。', '周报的写法'],
  ['《周报》的写法', '周报》的写法'],
  ['## **Weekly** `reports`', 'Weekly reports'],
  ['- Weekly reports', 'Weekly reports'],
  ['标题：周报的写法', '周报的写法'],
  ['Title: Weekly reports', 'Weekly reports'],
  ['\n\n---\n周报的写法\n这里还有一段解释', '周报的写法'],
  ['<b>Weekly</b> reports', 'Weekly reports'],
  ['Weekly\u202e reports\u0007', 'Weekly reports'],
  ['What is TCP?', 'What is TCP?'],
  ['', ''],
  ['```\n"。"\n```', ''],
  ['…… !!', ''],
])('of %j the title %j stays', (written, title) => {
  expect(titleFrom(written)).toBe(title);
});

test('a title is as short as first words are', () => {
  expect(titleFrom('字'.repeat(500))).toBe(`${'字'.repeat(40)}…`);
});

test.each(['。', '"', '*'])('a model that writes %s without end holds nothing up', (mark) => {
  const begun = process.cpuUsage();
  expect(titleFrom(`a${mark.repeat(200_000)}b`)).toMatch(/^a/);
  expect(process.cpuUsage(begun).user).toBeLessThan(1_000_000);
});

test('the model reads no more than the beginning of an exchange, and whole characters', () => {
  const request = titleRequest({ content: '😀'.repeat(800), response: 'b'.repeat(5_000) });
  const [part] = request.turns.flatMap(({ parts }) => parts);
  const text = part?.kind === 'text' ? part.text : '';
  expect(text).toContain('<answer>');
  expect(text.isWellFormed()).toBe(true);
  expect(text.length).toBeLessThan(1_600);
  expect(request.maxOutputTokens).toBeLessThan(1_000);
});
