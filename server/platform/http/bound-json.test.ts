import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '#test/runs.ts';
import { boundJson } from './bound-json.ts';

const isBounded = (text: string, most: number) => {
  try {
    boundJson(Buffer.from(text), most);
    return true;
  } catch {
    return false;
  }
};

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return 1 + Object.values(value).reduce((sum, part) => sum + countNodes(part), 0);
}

describe('the nodes of JSON', () => {
  it('are never counted below what a parser makes of it, nor above twice as many', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), (value) => {
        const nodes = countNodes(value);
        const text = JSON.stringify(value, null, 1);
        expect(isBounded(text, 2 * nodes)).toBe(true);
        if (nodes > 2) expect(isBounded(text, Math.ceil(nodes / 2))).toBe(false);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it.each([
    ['{"a":"[,{,[,{\\",,,,,\\\\"}', 2],
    ['"潮,汐[]{}"', 1],
    ['[1,2,3]', 4],
    ['[[],{}]', 5],
  ])('outside of strings alone count: %s', (text, nodes) => {
    expect([isBounded(text, nodes), isBounded(text, nodes - 1)]).toEqual([true, false]);
  });

  it('may be 64 levels deep', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect([isBounded(nested(64), 1_000), isBounded(nested(65), 1_000)]).toEqual([true, false]);
    expect(isBounded(`[${nested(63)},${nested(63)}]`, 1_000)).toBe(true);
  });

  it('end with the text, also within a string or after a backslash', () => {
    for (const text of ['', '"', '"a\\', '{"a', '"\\"'])
      expect([text, isBounded(text, 9)]).toEqual([text, true]);
  });
});
