import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SourcesPart } from '#contract/message/parts.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { runs } from '#test/runs.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { AnswerMarkdown } from '../answer-markdown.tsx';

function draw(text: string, sources: SourcesPart | null): string {
  return renderToStaticMarkup(
    <TranslationProvider language="zh" dictionary={zh}>
      <AnswerMarkdown messageId="m" text={text} sources={sources} running={false} />
    </TranslationProvider>,
  );
}

/** What stands on the page, a mark as ⟦its label⟧. */
function wordsOf(html: string): string {
  return html
    .replace(/<button[^>]*aria-label="来源 ([\d, ]+)"[^>]*>[^<]*<\/button>/g, '⟦$1⟧')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}

const bare = (html: string) =>
  wordsOf(html)
    .replace(/⟦[\d, ]+⟧/g, '')
    .replace(/\s+/g, '');

function sourcesAt(ends: readonly (readonly [number, number])[], count = 9): SourcesPart {
  return {
    kind: 'sources',
    sources: Array.from({ length: count }, (_, n) => ({ url: `https://s${n}.example/`, title: `S${n}` })),
    supports: ends.map(([end, source]) => ({ start: 0, end, sources: [source] })),
    queries: [],
  };
}

/** Sentences as answers have them, each with what of it is seen last. */
const SENTENCE = fc.constantFrom(
  ['京都的红叶在十一月最好看。', '看。'],
  ['The leaves peak in **late November.**', 'November.'],
  ['**重要：**清水寺晚上也开门🍁。', '🍁。'],
  ['它建于 `778` 年，见 [官网](https://a.example/b)。', '。'],
  ['Prices rise by 3% 👩‍👩‍👧 each year.', 'year.'],
  ['质能方程 $E=mc^2$ 很有名。', '名。'],
  ['~~旧的说法~~已经不对了！', '了！'],
  ['See https://b.example/c_d for *more*', 'more'],
  ['snake_case and 2 * 3 * 4 stay.', 'stay.'],
) as fc.Arbitrary<[string, string]>;
const LEAD = fc.constantFrom('', '- ', '1. ', '> ', '## ');

test('every mark stands behind the words that it is about, and no other word changes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(LEAD, SENTENCE, SENTENCE), { minLength: 1, maxLength: 8 }), (lines) => {
      let text = '';
      const wanted: string[] = [];
      const ends: [number, number][] = [];
      for (const [lead, [first, seenFirst], [second, seenSecond]] of lines) {
        text += `${lead}${first}`;
        ends.push([text.length, ends.length % 9]);
        wanted.push(seenFirst);
        text += ` ${second}`;
        ends.push([text.length, ends.length % 9]);
        wanted.push(seenSecond);
        text += '\n\n';
      }
      const marked = draw(text, sourcesAt(ends));
      expect(bare(marked)).toBe(bare(draw(text, null)));
      const found = wordsOf(marked).split(/⟦[\d, ]+⟧/);
      expect(found).toHaveLength(wanted.length + 1);
      wanted.forEach((seen, place) => {
        expect(found[place]?.endsWith(seen), `${JSON.stringify(found[place])} ends with ${seen}`).toBe(true);
      });
    }),
    { numRuns: runs(15, 300) },
  );
});

test('wherever they fall, marks change no word of an answer', () => {
  const text = [
    '# 标题 Title',
    '一段**加粗 bold**和 `代码 code`，还有 [链接 link](https://a.example/x_y) 与 ![图](https://a.example/p.png)。',
    '| 名称 | 数 |\n|---|---:|\n| 红叶 | **3** |\n| 雪 | `4` |',
    '```js\nconst a = 1;\n```',
    '- 第一\n  ```\n  nested\n  ```\n- 第二 \\* 星号 👩‍👩‍👧',
    '$$\nx^2 + y^2\n$$',
    'https://b.example/a_b_c 和 <https://c.example> 结束 &amp; 完[^1]。',
    '[^1]: 脚注 note。',
    '***',
    '最后一行 last',
  ].join('\n\n');
  const whole = bare(draw(text, null));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: text.length }), fc.integer({ min: 0, max: 8 })), {
        maxLength: 12,
      }),
      (ends) => {
        expect(bare(draw(text, sourcesAt(ends)))).toBe(whole);
      },
    ),
    { numRuns: runs(25, 500) },
  );
});

test('a text that looks like a mark is none, and a source that is not there is not named', () => {
  const text = '假的\uE0100\uE011标记。真的。';
  const html = draw(
    text,
    sourcesAt(
      [
        [text.length, 0],
        [text.length, 8],
      ],
      1,
    ),
  );
  expect(wordsOf(html).match(/⟦[^⟧]+⟧/g)).toEqual(['⟦1⟧']);
});
