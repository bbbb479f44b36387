import { foldText } from './slot-rules.ts';

/** [from, to) in UTF-16 code units. */
type Range = [from: number, to: number];

const BEFORE = 40;
const SNIPPET = 160;
const MAX_RANGES = 50;
const PART = 2_000;
/** Longer than a word of a search is in any text that folds to it. */
const OVERLAP = 1_000;

interface Snippet {
  snippet: string;
  ranges: Range[];
}

/**
 * The part of a text around the first place where one of the folded words occurs, on one line, with all such places in it;
 * null when none occurs.
 */
export function composeSnippet(text: string, words: string[]): Snippet | null {
  const first = findFirst(text, words);
  if (!first) return null;
  const from = Math.max(0, first[0] - BEFORE);
  const cut = text.slice(from, Math.max(from + SNIPPET, first[1])).toWellFormed();
  const line = cut.replace(/\s/g, ' ').replaceAll('\uFFFD', ' ');
  const lead = from > 0 ? '…' : '';
  const tail = from + cut.length < text.length ? '…' : '';
  return {
    snippet: `${lead}${line}${tail}`,
    ranges: findWords(`${lead}${line}`, words).slice(0, MAX_RANGES),
  };
}

/** Parts of a text that are looked at by place. */
const MAX_LOOKS = 3;

/** The first place where a word occurs. Few of the parts that have one are looked at by place: that costs a thousand times more. */
function findFirst(text: string, words: string[]): Range | null {
  if (!hasAny(text, words)) return null;
  let looks = 0;
  for (let from = 0; from < text.length && looks < MAX_LOOKS; from += PART) {
    const part = text.slice(from, from + PART + OVERLAP);
    if (!hasAny(part, words)) continue;
    const [first] = findWords(part, words);
    if (first) return [from + first[0], from + first[1]];
    looks += 1;
  }
  return null;
}

function hasAny(text: string, words: string[]): boolean {
  const folded = foldText(text);
  return words.some((word) => folded.includes(word));
}

/** Where folded words occur in a text, in order; places that overlap are one. */
function findWords(text: string, words: string[]): Range[] {
  const { folded, starts, ends } = foldWithPlaces(text);
  const found: Range[] = [];
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      found.push([starts[at] ?? 0, ends[at + word.length - 1] ?? text.length]);
    }
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const joined: Range[] = [];
  for (const range of found) {
    const last = joined.at(-1);
    if (last && range[0] < last[1]) last[1] = Math.max(last[1], range[1]);
    else joined.push(range);
  }
  return joined;
}

/** A folded text, and for each of its code units where the character that it came from begins and ends. */
function foldWithPlaces(text: string): { folded: string; starts: number[]; ends: number[] } {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = '';
  for (const { 0: character, index } of text.matchAll(/.[\p{M}\u3099\u309A\uFF9E\uFF9F]*/gsu)) {
    const part = foldText(character);
    folded += part;
    for (let n = 0; n < part.length; n += 1) {
      starts.push(index);
      ends.push(index + character.length);
    }
  }
  return { folded, starts, ends };
}
