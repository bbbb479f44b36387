import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isThere, rowsOf } from './cited-tests.ts';

const rows = rowsOf(readFileSync('docs/faults.md', 'utf8'));

describe('docs/faults.md', () => {
  it('has the fifty cases of the list, then five of Computer Use, in their order', () => {
    expect(rows.map(({ names }) => names)).toEqual(Array.from({ length: 55 }, (_, n) => String(n + 1)));
  });

  it.each(rows.map((row) => [row.names, row] as const))(
    'case %s names tests that exist',
    (_, { tests, cells }) => {
      expect(cells).toHaveLength(4);
      expect(tests.length).toBeGreaterThan(0);
      expect(tests.filter((test) => !isThere(test))).toEqual([]);
    },
  );
});
