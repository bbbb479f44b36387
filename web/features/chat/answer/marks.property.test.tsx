import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import type { AnswerPart, SourcesPart } from '#contract/message/parts.ts';
import { footnoteLabel } from '#contract/message/write-footnotes.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { runs, timeoutFor } from '#test/runs.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { AnswerMarkdown } from './answer-markdown.tsx';
import { countLineEndsOnce, placeMarks } from './parse/place-marks.ts';
import { EMPTY_SPLIT, splitBlocks } from './parse/split-blocks.ts';
import { copyAnswer } from './parts/copy-answer.ts';
import { type PlacedPart, type Stretch, viewEnded, viewLive } from './parts/read-parts.ts';

/** Something as it is written and as it is seen; `tail`: how it ends before what Markdown closes it with. */
interface Piece {
  source: string;
  seen: string;
  tail: string;
}

const ADDRESS = 'https://a.example/x_y?q=1';
const pick = (letters: string) =>
  fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 }).map((some) => some.join(''));
const han = pick('京都的红叶在十一月最好看清水寺門票人口𠮷ひらカ한');
const latin = pick('abcdefghijklmnoprstuvwyzéñ');
const emoji = fc.constantFrom('🍁', '👩‍👩‍👧', '🇨🇳', '👍🏽', '😀', '㊙️', '1️⃣');
const word = fc.oneof(
  han,
  latin,
  fc.tuple(han, emoji).map(([one, other]) => one + other),
);

const same = (text: string): Piece => ({ source: text, seen: text, tail: text });
const within = (mark: string, text: string): Piece => ({
  source: `${mark}${text}${mark}`,
  seen: text,
  tail: text,
});
const linked = (text: string): Piece => ({
  source: `[${text}](${ADDRESS})`,
  seen: text,
  tail: `(${ADDRESS})`,
});

/** What stands within a sentence. */
const term = fc.oneof(
  word.map(same),
  word.map(same),
  word.map((text) => within('**', text)),
  word.map((text) => within('*', text)),
  word.map((text) => within('~~', text)),
  word.map((text) => within('`', text)),
  word.map(linked),
  emoji.map(same),
  fc.nat({ max: 99 }).map((number) => same(`第${number}次`)),
  fc.constantFrom<Piece>(
    { source: '$x_1^2$', seen: 'x_1^2', tail: '' },
    { source: '&amp;', seen: '&', tail: '' },
    { source: '\\*', seen: '*', tail: '' },
    { source: '2 * 3', seen: '2 * 3', tail: '' },
    { source: 'snake_case', seen: 'snake_case', tail: '' },
    { source: ADDRESS, seen: ADDRESS, tail: '' },
  ),
);

const stop = fc.constantFrom('。', '！', '？', '.', '!', '?', '…', '”', '）', '');
/** What a sentence ends with, and the mark of its source stands behind. */
const ending = fc.tuple(word, stop).chain(([text, point]) => {
  const shown = text + point;
  const behind = (one: Piece): Piece => ({
    source: one.source + point,
    seen: one.seen + point,
    tail: point === '' ? one.tail : point,
  });
  return fc.constantFrom<Piece>(
    same(shown),
    same(shown),
    within('**', shown),
    within('*', shown),
    within('~~', shown),
    { ...behind(within('`', text)), tail: `\`${point}` },
    behind(linked(text)),
    { source: `${text}🍁`, seen: `${text}🍁`, tail: '🍁' },
    { source: `见 ${ADDRESS}。`, seen: `见${ADDRESS}。`, tail: '。' },
    { source: `at ${ADDRESS}`, seen: `at${ADDRESS}`, tail: ADDRESS },
  );
});
const sentence = fc.tuple(fc.array(term, { maxLength: 3 }), ending).map(
  ([terms, end]): Piece => ({
    source: [...terms, end].map(({ source }) => source).join(' '),
    seen: [...terms, end].map(({ seen }) => seen).join(''),
    tail: end.tail,
  }),
);
const sentences = fc.array(sentence, { minLength: 1, maxLength: 2 });

/** A block of Markdown: literal text and the sentences in it, each followed by the place of a mark. */
type Block = (string | Piece)[];
const between = (some: Piece[], join: string): Block =>
  some.flatMap((one, place) => (place > 0 ? [join, one] : [one]));
const block: fc.Arbitrary<Block> = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '', '', '- ', '1. ', '> ', '## ', '- [x] ', '> - ', '  - '), sentences)
    .map(([lead, some]) => [lead, ...between(some, ' ')]),
  sentences.map((some) => between(some, '\n')),
  sentences.map((some) => ['- ', ...between(some, '\n- ')]),
  fc.tuple(sentence, sentence).map(([one, other]) => ['| a | b |\n|---|:--:|\n| ', one, ' | ', other, ' |']),
  fc
    .tuple(fc.constantFrom('```js\n', '~~~\n', '````\n'), fc.array(latin, { minLength: 1, maxLength: 2 }))
    .map(([fence, lines]): Block => {
      const code = lines.join('\n');
      return [
        fence,
        { source: code, seen: code, tail: fence.slice(0, 3) },
        `\n${fence.replace('js', '').trim()}`,
      ];
    }),
);

interface Marked {
  text: string;
  sentences: Piece[];
  supports: { start: number; end: number; sources: number[] }[];
  /** All that is seen, without blanks. */
  seen: string;
}

/** An answer and what of it sources support, with plain line ends or those of Windows. */
const answer = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 4 }), fc.constantFrom('\n', '\n', '\r\n'))
  .map(([blocks, lineEnd]): Marked => {
    const marked: Marked = { text: '', sentences: [], supports: [], seen: '' };
    for (const one of blocks) {
      for (const piece of one) {
        const written = typeof piece === 'string' ? piece : piece.source;
        const start = marked.text.length;
        marked.text += written.replaceAll('\n', lineEnd);
        if (typeof piece === 'string') continue;
        const { length } = marked.supports;
        marked.supports.push({ start, end: marked.text.length, sources: [length % 9] });
        marked.sentences.push(piece);
      }
      if (one[0] === '| a | b |\n|---|:--:|\n| ') marked.seen += 'ab';
      marked.seen += one.map((piece) => (typeof piece === 'string' ? '' : bare(piece.seen))).join('');
      marked.text += lineEnd + lineEnd;
    }
    return marked;
  });

const ID = '3f2a9c10-0000-4000-8000-00000a1b2c3d';
const LABELS = /\[\^\d-0a1b2c3d\]/g;

const bare = (text: string) => text.replace(/\s/g, '');

function sourcesOf({ supports }: Marked): SourcesPart {
  const sources = Array.from({ length: 9 }, (_, n) => ({ url: `https://s${n}.example/`, title: `S${n}` }));
  return { kind: 'sources', sources, supports, queries: [] };
}

/** What stands on the page without blanks, a mark as ⟦its number⟧. */
function wordsOf(text: string, sources: SourcesPart): string {
  const html = renderToStaticMarkup(
    <TranslationProvider language="zh" dictionary={zh}>
      <AnswerMarkdown messageId="m" text={text} sources={sources} running={false} />
    </TranslationProvider>,
  );
  const words = html
    .replace(/<figcaption>.*?<\/figcaption>/gs, '')
    .replace(/<button[^>]*aria-label="来源 (\d+)"[^>]*>[^<]*<\/button>/g, '⟦$1⟧')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return bare(words);
}

test(
  'of any mix of writing every mark on the page stands right behind the words that it is about',
  () => {
    fc.assert(
      fc.property(answer, (marked) => {
        const words = wordsOf(marked.text, sourcesOf(marked));
        expect(words.replace(/⟦\d+⟧/g, '')).toBe(marked.seen);
        const [, ...found] = words.split(/⟦\d+⟧/).toReversed();
        expect(found).toHaveLength(marked.sentences.length);
        const wanted = marked.sentences.map(({ seen }) => bare(seen));
        expect(found.toReversed().map((text, place) => text.slice(-(wanted[place]?.length ?? 0)))).toEqual(
          wanted,
        );
        expect(words.match(/(?<=⟦)\d+(?=⟧)/g)?.map(Number)).toEqual(
          marked.supports.map(({ sources: [source = 0] }) => source + 1),
        );
      }),
      { numRuns: runs(75, 5_000) },
    );
  },
  timeoutFor(180_000),
);

test(
  'of any mix of writing every mark of a copied answer stands right behind the words that it is about',
  () => {
    fc.assert(
      fc.property(answer, (marked) => {
        const { text, supports, sentences: wanted } = marked;
        const sources = sourcesOf(marked);
        const parts: AnswerPart[] = [{ kind: 'text', text }, sources];
        const copied = copyAnswer({ id: ID, response: text, parts } as Message, '');
        const [written = '', notes] = copied.split(`\n\n${footnoteLabel(ID, 0)}: `);
        expect(notes?.split('\n')).toHaveLength(sources.sources.length);
        expect(bare(written.replace(LABELS, ''))).toBe(bare(text));
        const [, ...found] = written.split(LABELS).toReversed();
        expect(found).toHaveLength(wanted.length);
        for (const [place, piece] of found.toReversed().entries()) {
          const { tail = '' } = wanted[place] ?? {};
          // It stands behind the signs that end emphasis.
          const ends = [piece.trimEnd(), piece.trimEnd().replace(/[*~]+$/, '')];
          expect(
            ends.some((end) => end.endsWith(tail)),
            `${JSON.stringify(piece)} ends with ${tail}`,
          ).toBe(true);
        }
        expect(written.match(LABELS)).toEqual(
          supports.map(({ sources: [source = 0] }) => footnoteLabel(ID, source)),
        );
      }),
      { numRuns: runs(75, 5_000) },
    );
  },
  timeoutFor(180_000),
);

const CODE = { kind: 'code', language: 'PYTHON', code: 'print(1)' } as const;
const OUTPUT = { kind: 'output', outcome: 'ok', text: '1' } as const;
const cuts = fc.array(fc.nat(), { maxLength: 6 });

/** The places of cuts in a text, in their order. */
function placesIn(text: string, some: number[]): number[] {
  return some.map((cut) => cut % (text.length + 1)).toSorted((one, other) => one - other);
}

/** The marks in the blocks of a stretch: as it streamed in pieces, or as it is read whole. */
function marksOf(stretch: Stretch, sources: SourcesPart, pieces: number[]) {
  if (stretch.kind !== 'text') return stretch;
  const { text, start } = stretch;
  let split = EMPTY_SPLIT;
  for (const end of [...placesIn(text, pieces), text.length]) split = splitBlocks(split, text.slice(0, end));
  const own = sources.supports.map((support) => ({ ...support, end: support.end - start }));
  return { blocks: split.blocks, marks: placeMarks(split.blocks, countLineEndsOnce(text, own)) };
}

test(
  'an answer that streamed in any pieces has the same marks at its end as after a reload',
  () => {
    fc.assert(
      fc.property(answer, cuts, cuts, (marked, codes, pieces) => {
        const { text } = marked;
        const sources = sourcesOf(marked);
        const live: PlacedPart[] = [];
        const stored: AnswerPart[] = [];
        let from = 0;
        for (const at of [...new Set(placesIn(text, codes))]) {
          live.push({ part: CODE, at }, { part: OUTPUT, at });
          if (at > from) stored.push({ kind: 'text', text: text.slice(from, at) });
          stored.push(CODE, OUTPUT);
          from = at;
        }
        if (from < text.length) stored.push({ kind: 'text', text: text.slice(from) });
        const written = viewLive({ text, reasoning: '', parts: live, thoughtMs: null });
        const message = {
          response: text,
          parts: [...stored, sources],
          firstTextMs: null,
        } as Partial<Message>;
        const read = viewEnded(message as Message);
        expect(read.stretches).toEqual(written.stretches);
        expect(read.sources).toBe(sources);
        expect(written.stretches.map((stretch) => marksOf(stretch, sources, pieces))).toEqual(
          read.stretches.map((stretch) => marksOf(stretch, sources, [])),
        );
      }),
      { numRuns: runs(75, 5_000) },
    );
  },
  timeoutFor(180_000),
);
