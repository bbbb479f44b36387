import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IS_LONG, runs } from '#test/runs.ts';
import { footnoteLabel, writeFootnotes } from './write-footnotes.ts';

const note = (source: number) => `[^${source + 1}]`;

/** The text with a footnote for each `⟦` in it, which says where its words end. */
function write(marked: string): string {
  const supports: { end: number; sources: number[] }[] = [];
  const pieces = marked.split('⟦');
  let end = 0;
  for (const [source, piece] of pieces.slice(0, -1).entries()) {
    end += piece.length;
    supports.push({ end, sources: [source] });
  }
  return writeFootnotes(pieces.join(''), supports, note);
}

test.each([
  ['behind the words', '红叶最好看。⟦门票涨了😀⟦。', '红叶最好看。[^1]门票涨了😀[^2]。'],
  ['behind emphasis that ends there', '**门票⟦**涨了', '**门票**[^1]涨了'],
  ['before emphasis that begins there', '门票**⟦涨了**', '门票[^1]**涨了**'],
  ['within emphasis', '**门⟦票**涨了', '**门[^1]票**涨了'],
  ['behind code', '运行 `a ⟦b` 即可', '运行 `a b`[^1] 即可'],
  ['behind code with backticks', '``a `⟦ b`` c', '``a ` b``[^1] c'],
  ['behind a link', '见 [官⟦网](https://a.example/⟦x_y)。', '见 [官网](https://a.example/x_y)[^1][^2]。'],
  ['behind a picture', '![图⟦](https://a.example/p.png)', '![图](https://a.example/p.png)[^1]'],
  ['behind a formula', '质能 $E=m⟦c^2$ 很有名', '质能 $E=mc^2$[^1] 很有名'],
  ['between prices', '$5⟦ 和 $6', '$5[^1] 和 $6'],
  ['apart from an address', '见 https://a.example/⟦b 吧', '见 https://a.example/b [^1] 吧'],
  [
    'apart behind an address that Chinese follows',
    '见https://a.example/b。很好。⟦',
    '见https://a.example/b。很好。 [^1]',
  ],
  ['behind an address in angle brackets', '<https://a.ex⟦ample>', '<https://a.example>[^1]'],
  ['behind an entity', 'a &am⟦p; b', 'a &amp;[^1] b'],
  ['behind what is escaped', '2 \\⟦* 3', '2 \\*[^1] 3'],
  ['behind a footnote of the answer', '完[⟦^1]。', '完[^1][^1]。'],
  ['not where it would be a link', '京都⟦(Kyoto)', '京都([^1]Kyoto)'],
  ['not where it would make emphasis', 'snake⟦_case_ x', 'snake_case_[^1] x'],
  ['before blanks', '一句。 \n\n⟦二', '一句。[^1] \n\n二'],
  ['in the last cell with line ends of Windows', '| 雪 | 4 |⟦\r\n| 雨 | 5 |', '| 雪 | 4[^1] |\r\n| 雨 | 5 |'],
  ['in the last cell', '| 红叶 | **3** |⟦\n| 雪 | 4 |', '| 红叶 | **3**[^1] |\n| 雪 | 4 |'],
  ['not in the line beneath the head of a table', '| 名称 |\n|--⟦-|\n| 雪 |', '| 名称[^1] |\n|---|\n| 雪 |'],
  ['not in the beginning of a line', '一\n- 二\n- ⟦三', '一\n- 二[^1]\n- 三'],
])('a footnote stands %s', (_, marked, written) => {
  expect(write(marked)).toBe(written);
});

test.each([
  ['code', '甲\n\n```js\n1⟦;\n```⟦\n\n乙', '甲\n\n```js\n1;\n```\n\n[^1][^2]\n\n乙'],
  ['code with text right behind it', '```\n1\n```⟦\n乙', '```\n1\n```\n\n[^1]\n\n乙'],
  ['code with a fence within', '````\n```\n⟦1\n```\n````\n', '````\n```\n1\n```\n````\n\n[^1]\n'],
  ['code of a list, in its item', '- a\n  ```\n  x⟦\n  ```\n- b', '- a\n  ```\n  x\n  ```\n  [^1]\n- b'],
  ['code of a list that ends there', '- a\n  ```\n  x⟦\n  ```\nb', '- a\n  ```\n  x\n  ```\n  [^1]\n\nb'],
  ['code of a quotation, in it', '> ~~~\n> x⟦\n> ~~~\n> b', '> ~~~\n> x\n> ~~~\n>\n> [^1]\n>\n> b'],
  ['code that never ends, which is ended', '```\nx⟦\ny', '```\nx\ny\n```\n\n[^1]\n'],
  ['words before code that never ends, which is ended too', '甲⟦\n\n```\nx', '甲[^1]\n\n```\nx\n```\n'],
  ['indented code', '甲\n\n    x⟦ = 1\n\n乙', '甲\n\n    x = 1\n\n[^1]\n\n乙'],
  ['a formula in lines of its own', '$$\nx⟦^2\n$$\n乙', '$$\nx^2\n$$\n\n[^1]\n\n乙'],
  ['HTML', '<div>\na⟦\n</div>\n\n乙', '<div>\na\n</div>\n\n[^1]\n\n乙'],
])('with a footnote behind %s the Markdown stays as it is', (_, marked, written) => {
  expect(write(marked)).toBe(written);
});

test('sources of one place are named once, in their order', () => {
  const supports = [
    { end: 2, sources: [1, 0] },
    { end: 3, sources: [1, 2] },
  ];
  expect(writeFootnotes('一句 ', supports, note)).toBe('一句[^2][^1][^3] ');
});

test('no footnote of one message is one of another', () => {
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  expect(footnoteLabel(one, 0)).toMatch(/^\[\^1-[0-9a-f]{8}\]$/);
  expect(footnoteLabel(one, 0)).not.toBe(footnoteLabel(other, 0));
  expect(footnoteLabel(one, 0)).not.toBe(footnoteLabel(one, 1));
});

const PIECE = fc.constantFrom(
  ...[
    '一句。',
    'Words, ',
    '`code b`',
    '```\n',
    '~~~\n',
    '\n',
    '\n\n',
    '- ',
    '> ',
    '1. ',
    '## ',
    '| a | b |\n',
    '|---|---|\n',
  ],
  ...[
    '**b**',
    '*',
    '_',
    '[l](https://a.example/x)',
    '[',
    ']',
    '(',
    'https://b.example/c',
    '$x$',
    '$$\n',
    '\\',
    '&amp;',
    '<b>',
    '😀',
    '    ',
  ],
);

test('wherever footnotes fall, nothing of a text is lost or changed, and none is lost', () => {
  fc.assert(
    fc.property(fc.array(PIECE, { maxLength: 25 }), fc.array(fc.nat(), { maxLength: 6 }), (pieces, ends) => {
      const text = pieces.join('');
      const supports = ends.map((end, source) => ({ end: end % (text.length + 1), sources: [source] }));
      const label = (source: number) => `⟦${source}⟧`;
      const written = writeFootnotes(text, supports, label);
      if (text !== '') for (const { sources } of supports) expect(written).toContain(label(sources[0] ?? 0));
      const bare = (each: string) => each.replace(/⟦\d⟧/g, '').replace(/[\s>]+/g, '');
      // Code that never ends is ended.
      expect(
        bare(written).startsWith(bare(text)) ||
          bare(written).replace(/[`~$]{3,}/g, '') === bare(text).replace(/[`~$]{3,}/g, ''),
      ).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});

test.runIf(IS_LONG)('whatever a text repeats, its footnotes are placed in no time', () => {
  const supports = Array.from({ length: 2_000 }, (_, n) => ({ end: (n + 1) * 100, sources: [0] }));
  for (const piece of [
    '[',
    '![',
    '`',
    '``a`',
    '**a',
    '_',
    '$$a',
    '<a ',
    '\\(',
    '[a](',
    '*a_',
    '|\n',
    '- \n',
    '```\n',
    ' ',
  ]) {
    const begun = process.cpuUsage();
    writeFootnotes(piece.repeat(200_000 / piece.length), supports, note);
    expect(process.cpuUsage(begun).user, piece).toBeLessThan(5_000_000);
  }
});
