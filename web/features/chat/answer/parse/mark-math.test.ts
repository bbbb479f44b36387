import { expect, test } from 'vitest';
import { markMath, readMarked } from './mark-math.ts';

/** The formulas found in a text, displayed ones between brackets. */
function formulas(source: string): string[] {
  return [...markMath(source).matchAll(/`([\uE000\uE001][^`]*)`/g)].map(([, code = '']) => {
    const marked = readMarked(code);
    return marked?.display ? `[${marked.formula}]` : (marked?.formula ?? '');
  });
}

test.each([
  ['质能方程 $E = mc^2$ 说明', ['E = mc^2']],
  ['变量$x$与$y_1$，以及 $\\alpha$。', ['x', 'y_1', '\\alpha']],
  ['\\(a*b*c\\) and \\(d\\)', ['a*b*c', 'd']],
  ['so \\[ x = 1 \\] holds', ['[x = 1]']],
  ['$$\na\n= b\n$$', ['[a = b]']],
  ['$|x|$ is `$y$`', ['|x|']],
  ['$\\text{面积} = \\pi r^2$', ['\\text{面积} = \\pi r^2']],
  ['> $$\n> a\n> $$', ['[a]']],
  ['the $n$-th of ($k$)', ['n', 'k']],
])('a formula is found in %j', (source, expected) => {
  expect(formulas(source)).toEqual(expected);
});

test.each([
  'It costs $5 and $6.',
  'between $5–$10, or $100/$200',
  '$5, $6, and 7$ are prices',
  '一个 $5，两个$9',
  '价格$5元，折后$很便宜',
  '用 `$a$` 与 ``x $b$ `` 表示',
  '```sh\necho $HOME $PATH$\n```',
  'set $HOME and $PATH first, or $HOME/$PATH',
  'a\\$b$ and \\$c$ are not',
  'US$5 to US$6',
  '\\[not math\\]',
  '$ x $',
  '$(this).find($x)',
])('no formula is found in %j', (source) => {
  expect(markMath(source)).toBe(source);
});
