import { expect, test, vi } from 'vitest';
import { composeSnippet } from './compose-snippet.ts';
import { foldText } from './slot-rules.ts';

function cut(text: string, ...words: string[]) {
  const found = composeSnippet(text, words.map(foldText));
  return found && { ...found, marked: found.ranges.map(([from, to]) => found.snippet.slice(from, to)) };
}

test('places are counted in code units of the text as it is shown', () => {
  expect(cut('😀ＡＰＩ 和 api', 'api')).toEqual({
    snippet: '😀ＡＰＩ 和 api',
    ranges: [
      [2, 5],
      [8, 11],
    ],
    marked: ['ＡＰＩ', 'api'],
  });
  expect(cut('ﬁne ㎏ ㍿', 'fi')?.marked).toEqual(['ﬁ']);
  expect(cut('ｶﾞﾗｽ と が', 'ガラス')?.marked).toEqual(['ｶﾞﾗｽ']);
  expect(cut('cafe\u0301!', 'café')?.marked).toEqual(['cafe\u0301']);
});

test('places that overlap are one', () => {
  expect(cut('潮汐潮汐', '潮汐潮', '汐潮汐')?.marked).toEqual(['潮汐潮汐']);
});

test('a long text is cut around the first place, on one line and between whole characters', () => {
  const text = `${'😀'.repeat(100)}\n\n灯塔\t${'😀'.repeat(200)}`;
  const found = cut(text, '灯塔');
  expect(found?.marked).toEqual(['灯塔']);
  expect(found?.snippet).toMatch(/^… ?😀.*灯塔.*…$/u);
  expect(found?.snippet.isWellFormed()).toBe(true);
  expect(found?.snippet.length).toBeLessThan(170);
});

test('there is no snippet where no word is', () => {
  expect(cut('潮汐', '灯')).toBe(null);
});

test('a folded text folds to itself', () => {
  for (const text of ['Straße', 'İstanbul', 'ΑΣ', 'ﬁ', 'ＡＢｃ', 'ẛ̣', 'ǅ']) {
    expect(foldText(foldText(text)), text).toBe(foldText(text));
  }
});

test('a word is found deep in a long text, also where its parts meet', () => {
  for (const depth of [0, 1_990, 1_999, 2_000, 50_003]) {
    const found = cut(`${'潮'.repeat(depth)}ＤＥＥＰ灯塔${'汐'.repeat(500)}`, 'deep灯塔');
    expect(found?.marked, String(depth)).toEqual(['ＤＥＥＰ灯塔']);
  }
});

test.each<[name: string, text: string, word: string, marked: string[] | undefined]>([
  ['a word at the end', `${'潮'.repeat(50_000)}zzq`, 'zzq', ['zzq']],
  ['a word that is nowhere by single characters', '\u1100\u1161'.repeat(25_000), '\uAC00', undefined],
])(
  'of a long text with %s, no more than three parts are folded by characters',
  (_name, text, word, marked) => {
    const folding = vi.spyOn(String.prototype, 'normalize');
    const found = cut(text, word);
    const folds = folding.mock.calls.length;
    folding.mockRestore();
    expect(found?.marked).toEqual(marked);
    expect(folds).toBeLessThan(20_000);
  },
);
