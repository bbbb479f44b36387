import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnswerPart, SourcesPart } from '#contract/message/parts.ts';
import { footnoteLabel } from '#contract/message/write-footnotes.ts';
import { readParts, storeParts } from '#server/chat/message-store/message-parts.ts';
import { presentMessage } from '#server/chat/message-store/present.ts';
import type { MessageRow } from '#server/chat/message-store/store.ts';
import { SourcesReader } from '#server/chat/upstream/dialects/gemini-sources.ts';
import { runs } from '#test/runs.ts';
import { presentMarkdownTurn } from './present-markdown.ts';

/** Chinese, English, emoji of several characters, letters with marks of their own, and what some providers leave broken. */
const piece = fc.oneof(
  fc.constantFrom('上海的人口', '约两千四百万。', '「引用」', '，', '㊙️', '𠮷野家'),
  fc.constantFrom('Tokyo has ', 'more; ', 'naïve café ', 'e\u0301\u0323 ', 'क्षि ', '\u0627\u0644'),
  fc.constantFrom('😀', '👨‍👩‍👧‍👦', '🇨🇳', '👍🏽', '\n\n', '\t', '**b** '),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
);
const answer = fc.record({
  pieces: fc.array(piece, { minLength: 1, maxLength: 30 }),
  spans: fc.array(
    fc.tuple(fc.nat(), fc.nat(), fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 })),
    {
      maxLength: 12,
    },
  ),
  cuts: fc.array(fc.nat(), { maxLength: 4 }),
});

const ID = '3f2a9c10-0000-4000-8000-00000a1b2c3d';
const labelOf = (source: number) => footnoteLabel(ID, source);
const LABELS = /\[\^\d-0a1b2c3d\]/g;
const ANSWER = ' · 8 Credits*\n\n';
/** Signs that Markdown may give a meaning; what is left is Chinese, letters, emoji, blanks and most punctuation. */
const MARKDOWN = /[!-/:-@[-`{-~]|\d|^\s| {2,}|\t/;

const WEB = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
  web: { uri: `https://${name}.example/`, title: name },
}));

test('P22: of any mix of writing every mark stands on the characters that it supports, in the message and in its exports', () => {
  fc.assert(
    fc.property(answer, ({ pieces, spans, cuts }) => {
      const text = pieces.join('');
      const bounds = [0];
      for (const character of text) bounds.push((bounds.at(-1) ?? 0) + character.length);
      const wanted = spans
        .map(([one, other, sources]) => {
          const [start = 0, end = 0] = [one, other]
            .map((at) => bounds[at % bounds.length] ?? 0)
            .toSorted(numbers);
          return { start, end, sources };
        })
        .filter(({ start, end }) => start < end);
      const part = readSources(text, wanted, cuts);
      expect(part.supports).toEqual(wanted);
      for (const [index, { start, end }] of part.supports.entries()) {
        const { start: from = 0, end: to = 0 } = wanted[index] ?? {};
        expect(text.slice(start, end)).toBe(text.slice(from, to));
      }
      const row = rowOf(text, part);
      const shown = presentMessage(row, 'zh');
      expect(shown.parts?.find(({ kind }) => kind === 'sources')).toEqual(part);
      expect(shown.response).toBe(text);
      expectMarks(presentMarkdownTurn(row, 'en'), text, wanted);
    }),
    {
      numRuns: runs(1_000),
      // Text that begins as a quotation does.
      examples: [[{ pieces: ['>\u0338 ', '😀'], spans: [[314_286_980, 103_316_781, [0]]], cuts: [] }]],
    },
  );
});

function numbers(one: number, other: number): number {
  return one - other;
}

/** The text as it streams, and at its end what Google says of it: places in bytes. */
function readSources(text: string, wanted: SourcesPart['supports'], cuts: number[]): SourcesPart {
  const reader = new SourcesReader();
  let at = 0;
  for (const cut of [...cuts.map((one) => one % (text.length + 1)).toSorted(numbers), text.length]) {
    reader.addParts([{ text: text.slice(at, cut) }]);
    at = cut;
  }
  const byteAt = (place: number) => Buffer.byteLength(text.slice(0, place));
  reader.read({
    webSearchQueries: ['q'],
    groundingChunks: WEB,
    groundingSupports: wanted.map(({ start, end, sources }) => ({
      segment: { startIndex: byteAt(start), endIndex: byteAt(end) },
      groundingChunkIndices: sources,
    })),
  });
  const part = reader.end();
  if (!part) throw new Error('no sources');
  return part;
}

function rowOf(response: string, sources: SourcesPart): MessageRow {
  const parts: AnswerPart[] = [{ kind: 'text', text: response }, sources];
  const stored = storeParts(parts);
  const output = { ...(stored ? { parts: stored } : {}) };
  expect(readParts(output, response)).toEqual(parts);
  const row = { status: 'completed', content: 'Why?', model: 'm', creditsUsed: 8, cost: 8 } as MessageRow;
  return {
    ...row,
    id: ID,
    createdAt: new Date(0),
    endedAt: null,
    input: null,
    response,
    output,
    errorCode: null,
  };
}

/**
 * Without its marks the text is as it was, but for paragraphs that hold nothing but marks, in a quotation too. Where it is plain each mark stands behind the
 * last visible character that it supports; where it has signs of Markdown it may stand elsewhere in their neighbourhood.
 */
function expectMarks(markdown: string, text: string, wanted: SourcesPart['supports']) {
  const written = markdown.slice(
    markdown.indexOf(ANSWER) + ANSWER.length,
    markdown.indexOf(`\n\n${labelOf(0)}:`),
  );
  const squeezed = (each: string) => each.replace(/^[\s>]+$/gm, '').replace(/\s+/g, '');
  expect(squeezed(written.replaceAll(LABELS, ''))).toBe(squeezed(text));
  for (const source of wanted.flatMap(({ sources }) => sources)) expect(written).toContain(labelOf(source));
  if (MARKDOWN.test(text)) return;
  const marks = new Map<number, Set<number>>();
  for (const { end, sources } of wanted.toSorted((one, other) => one.end - other.end)) {
    const at = text.slice(0, end).trimEnd().length;
    if (at > 0) marks.set(at, new Set([...(marks.get(at) ?? []), ...sources]));
  }
  let expected = '';
  let at = 0;
  for (const [place, sources] of marks) {
    expected += text.slice(at, place) + [...sources].map(labelOf).join('');
    at = place;
  }
  expect(written.trimEnd().startsWith((expected + text.slice(at)).trimEnd())).toBe(true);
}
