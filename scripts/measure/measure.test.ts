import { expect, it } from 'vitest';
import { parseSource } from '../structure/source-file.ts';
import { duplicatesOf } from './duplicates.ts';
import { exportsOnlyForTests } from './exports.ts';
import { arrowsOf, arrowsUp } from './rooms.ts';
import { distributionOf } from './sizes.ts';

it('a distribution names the middle, the 95th percentile and the most', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(distributionOf(hundred)).toEqual({ count: 100, median: 51, p95: 96, max: 100 });
});

it('of two rooms that import each other, the fewer imports run up', () => {
  const files = [
    parseSource(
      'server/a/one.ts',
      "import { x } from '../b/two.ts';\nimport { y } from '../b/three.ts';\nx(y);",
    ),
    parseSource('server/b/two.ts', "import type { Z } from '../a/one.ts';\nexport function x(z: Z) {}"),
    parseSource('server/b/three.ts', 'export const y = 1;'),
  ];
  const arrows = arrowsOf(files, (path) => path.split('/').slice(0, 2).join('/'));
  expect(arrowsUp(arrows)).toEqual([{ from: 'server/b', to: 'server/a', imports: 1 }]);
});

it('an export that only a test imports is found, and one that its own file uses is not', () => {
  const files = [
    parseSource('server/a.ts', 'export function lonely() {}\nexport function used() {}\nused();'),
    parseSource('server/a.test.ts', "import { lonely, used } from './a.ts';\nlonely();\nused();"),
  ];
  expect(exportsOnlyForTests(files)).toEqual([{ path: 'server/a.ts', name: 'lonely' }]);
});

it('a run of eight lines in two files is one duplicate', () => {
  const run = Array.from({ length: 9 }, (_, index) => `const a${index} = ${index};`).join('\n');
  const files = [parseSource('a.ts', `const first = 1;\n${run}`), parseSource('b.ts', run)];
  expect(duplicatesOf(files)).toEqual([{ path: 'b.ts', line: 1, otherPath: 'a.ts', otherLine: 2, lines: 9 }]);
});
