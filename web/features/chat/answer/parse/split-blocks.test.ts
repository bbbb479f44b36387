import { array, assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { IS_LONG, runs } from '#test/runs.ts';
import { EMPTY_SPLIT, type SplitAnswer, splitBlocks } from './split-blocks.ts';

const ANSWER = [
  '# 标题',
  '一段**文字。**后\n续行',
  '1. 第一\n\n   第一的第二段\n2. 第二',
  '```ts\nconst a = 1;\n\n// 空行之后\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '> 引用\n续行',
  '- [ ] 未完\n- [x] 已完',
  '最后一段',
].join('\n\n');

/** Feeds the text as it would stream, in pieces of `step` characters. */
function stream(text: string, step: number): SplitAnswer {
  let split = EMPTY_SPLIT;
  for (let end = step; end < text.length + step; end += step) split = splitBlocks(split, text.slice(0, end));
  return split;
}

const joined = (split: SplitAnswer) => split.blocks.map(({ source }) => source).join('');

test('the sources of the blocks joined are the text, at every character of the stream', () => {
  let split = EMPTY_SPLIT;
  for (let end = 1; end <= ANSWER.length; end++) {
    split = splitBlocks(split, ANSWER.slice(0, end));
    expect(joined(split)).toBe(ANSWER.slice(0, end));
  }
});

test('a streamed answer has the same blocks as one that came whole', () => {
  const whole = splitBlocks(EMPTY_SPLIT, ANSWER).blocks;
  expect(whole).toHaveLength(8);
  for (const step of [1, 3, 17]) expect(stream(ANSWER, step).blocks).toEqual(whole);
});

test('settled blocks stay the same objects while the tail grows', () => {
  const before = splitBlocks(EMPTY_SPLIT, ANSWER);
  const after = splitBlocks(before, `${ANSWER}，还没写完\n\n又一段`);
  expect(before.settled).toHaveLength(6);
  for (const [index, block] of before.settled.entries()) expect(after.blocks[index]).toBe(block);
});

test('a list goes on after a blank line', () => {
  const split = stream('前言\n\n- 一\n\n- 二\n\n- 三', 1);
  expect(split.blocks.map(({ source }) => source.trim())).toEqual(['前言', '- 一\n\n- 二\n\n- 三']);
});

test('a fence that is still open is a code block with its language', () => {
  const split = stream('看：\n\n```python title="x"\nprint("你好")\n', 1);
  expect(split.blocks.at(-1)).toMatchObject({ kind: 'code', language: 'python', code: 'print("你好")' });
});

test('a text that does not continue the previous one is split from its beginning', () => {
  const split = splitBlocks(stream(ANSWER, 5), '完全不同');
  expect(split.blocks).toEqual([{ kind: 'markdown', source: '完全不同' }]);
});

test('an empty text has no blocks and blanks alone are one', () => {
  expect(splitBlocks(EMPTY_SPLIT, '').blocks).toEqual([]);
  expect(joined(splitBlocks(EMPTY_SPLIT, '\n\n \n'))).toBe('\n\n \n');
});

test('no text is lost or repeated, whatever it is made of', () => {
  const piece = constantFrom(
    '\n',
    '\n\n',
    '# ',
    '- ',
    '1. ',
    '```',
    '~~~',
    '> ',
    '| a |',
    '|--|',
    '    ',
    '\t',
    '<div>',
    '**',
    '[a]: b',
    '中文。',
    '\r\n',
  );
  void assert(
    property(array(piece.chain((mark) => string({ maxLength: 4 }).map((text) => mark + text))), (pieces) => {
      const text = pieces.join('');
      const normal = text.replace(/\r\n?/g, '\n');
      expect(joined(stream(text, 3))).toBe(normal);
    }),
    { numRuns: runs(1_000) },
  );
});

test('formulas that stand alone and footnotes are blocks of their own', () => {
  const text =
    '前\n$$\na\n\n- b\n$$\n后\n\n\\[\nx\n\\]\n\n[^a]: 说明\n[^b]: 又\n\n    续\n\n[1]: https://example.com\n';
  const split = stream(text, 1);
  expect(split.blocks.map(({ kind }) => kind)).toEqual([
    'markdown',
    'math',
    'markdown',
    'math',
    'footnote',
    'footnote',
    'definition',
  ]);
  expect(split.blocks[1]).toMatchObject({ formula: 'a\n\n- b' });
  expect(split.blocks[5]).toMatchObject({ label: 'b', text: '又\n\n续' });
  expect(splitBlocks(EMPTY_SPLIT, text).blocks).toEqual(split.blocks);
});

test.runIf(IS_LONG)('a book is split window by window, and one long paragraph into several', () => {
  for (const text of [`${ANSWER}\n\n`.repeat(2_000), '字'.repeat(70_000), '- 一\n'.repeat(30_000)]) {
    let split = splitBlocks(EMPTY_SPLIT, text);
    expect(split.more).toBe(true);
    while (split.more) split = splitBlocks(split, text);
    expect(joined(split)).toBe(text);
    expect(Math.max(...split.blocks.map(({ source }) => source.length))).toBeLessThanOrEqual(10_000);
  }
});
