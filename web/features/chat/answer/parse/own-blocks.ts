import type { MarkedOptions } from 'marked';

/** What the lexer finds beyond Markdown, already as the block that it makes but for its source. */
export interface OwnToken {
  type: 'math' | 'footnote';
  raw: string;
  block: { kind: 'math'; formula: string } | { kind: 'footnote'; label: string; text: string };
}

/** Characters a formula may have; what is longer was no formula. */
const MAX_FORMULA = 4000;
const MATH = new RegExp(
  `^ {0,3}(?:\\$\\$((?:(?!\\$\\$)[\\s\\S]){1,${MAX_FORMULA}}?)\\$\\$|\\\\\\[((?:(?!\\\\\\])[\\s\\S]){1,${MAX_FORMULA}}?)\\\\\\])[ \\t]*(?:\\n+|$)`,
);
const MATH_START = /(?:^|\n) {0,3}(?:\$\$|\\\[)/g;
const NOTE =
  /^ {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*([^\n]*(?:\n(?! {0,3}\[\^)(?![ \t]*(?:\n|$))[^\n]*|\n+(?: {4}|\t)[^\n]+)*)(?:\n+|$)/;
const NOTE_START = /(?:^|\n) {0,3}\[\^[^\]\s]{1,100}\]:/g;

function readMath(source: string): OwnToken | undefined {
  const found = MATH.exec(source);
  if (!found) return undefined;
  const formula = (found[1] ?? found[2] ?? '').trim();
  return { type: 'math', raw: found[0], block: { kind: 'math', formula } };
}

function readFootnote(source: string): OwnToken | undefined {
  const found = NOTE.exec(source);
  if (!found) return undefined;
  const [raw, label = '', said = ''] = found;
  const text = said.replace(/^(?: {4}|\t)/gm, '');
  return { type: 'footnote', raw, block: { kind: 'footnote', label: label.toLowerCase(), text } };
}

/** Openings that are tried within one paragraph. */
const TRIES = 20;

/** Where in the paragraph at the beginning of `source` one of ours begins; what follows that paragraph is asked for again. */
function startOf(opening: RegExp, whole: RegExp, source: string): number | undefined {
  const end = source.indexOf('\n\n');
  const paragraph = end === -1 ? source : source.slice(0, end);
  opening.lastIndex = 0;
  for (let left = TRIES; left > 0; left -= 1) {
    const found = opening.exec(paragraph);
    if (!found) return undefined;
    const start = found.index + (found[0].startsWith('\n') ? 1 : 0);
    if (whole.test(source.slice(start))) return start;
  }
  return undefined;
}

/** Formulas between `$$` or `\[ \]` that stand alone, and the texts of footnotes, for the options of the lexer. */
export const OWN_BLOCKS: NonNullable<MarkedOptions['extensions']> = {
  renderers: {},
  childTokens: {},
  block: [readMath, readFootnote],
  startBlock: [(source) => startOf(MATH_START, MATH, source), (source) => startOf(NOTE_START, NOTE, source)],
};
