import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import { runs, timeoutFor } from '#test/runs.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { AnswerMarkdown } from '../answer-markdown.tsx';
import { holdTableHead } from './hold-back.ts';

test.each([
  ['|', ''],
  ['前言\n\n| 品', '前言\n\n'],
  ['前言\n| 品 | 价 |', '前言\n'],
  ['| 品 | 价 |\n', ''],
  ['| 品 | 价 |\n|', ''],
  ['| 品 | 价 |\n| --- |', ''],
  ['| 品 | 价 |\n|---|:', ''],
  ['> 引\n>\n> | 品 |\n> |', '> 引\n>\n'],
  ['- 一\n\n  | 品 | 价 |\n  | - ', '- 一\n\n'],
  ['| 一 |\n| 二 ', '| 一 |\n'],
])('a row that may become the head of a table is held back: %j', (source, shown) => {
  expect(holdTableHead(source)).toBe(shown);
});

test.each([
  '',
  '一 | 二',
  '| 品 | 价 |\n\n',
  '| 品 | 价 |\n| --- |\n',
  '| 品 |\n|---|---|',
  '| 品 | 价 |\n|---|---|',
  '| 品 | 价 |\n|---|---|\n|',
  '| 品 | 价 |\n|---|---|\n| - |',
  '| 品 | 价 |\n|---|---|\n| 茶 | 3 |\n| 酒',
  '| 品 | 价 |\n后面是文字',
  '- 例\n  ```sh\n  | sort',
])('any other end stays: %j', (source) => {
  expect(holdTableHead(source)).toBe(source);
});

function draw(text: string, running: boolean): string {
  return renderToStaticMarkup(
    <TranslationProvider language="en" dictionary={en}>
      <AnswerMarkdown messageId="m" text={text} running={running} />
    </TranslationProvider>,
  );
}

const lettersOf = (html: string) => html.replace(/<[^>]*>/g, '').replace(/[^\p{L}\p{N}]/gu, '');

test('a table that is being written is never drawn as text', () => {
  const table = '前言：\n\n| 品名 | 单价 |\n| :-- | --: |\n| 茶 | 3 |\n| 酒 | 8 |\n\n后记';
  for (let end = 1; end <= table.length; end += 1) expect(draw(table.slice(0, end), true)).not.toContain('|');
});

test('a row that an answer ends with is shown as it is written', () => {
  for (const text of ['| 品 | 价 |', '| 品 | 价 |\n| --', '前言\n| 品'])
    expect(lettersOf(draw(text, false))).toBe(lettersOf(text));
});

const cell = fc.constantFrom('品', 'a1', '茶 叶', '---', ':-:', '', '-');
const row = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => `| ${cells.join(' | ')} |`);
const rule = fc.array(fc.constantFrom('---', ':-', '--:'), { minLength: 1, maxLength: 3 });
const line = fc.oneof(
  row,
  row,
  rule.map((cells) => `|${cells.join('|')}|`),
  fc.constantFrom('', '', '前言', '一 | 二', '> 引'),
);

test(
  'of any mix of rows and lines, what has been shown while it is written stays, and all is shown at its end',
  () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const text = lines.join('\n');
        let shown = '';
        for (let end = 1; end <= text.length; end += 1) {
          const now = lettersOf(draw(text.slice(0, end), true));
          expect(now.startsWith(shown), `${JSON.stringify(text.slice(0, end))}: ${shown}, then ${now}`).toBe(
            true,
          );
          shown = now;
        }
        expect(lettersOf(draw(text, false)).startsWith(shown)).toBe(true);
      }),
      { numRuns: runs(10, 2_000) },
    );
  },
  timeoutFor(180_000),
);
