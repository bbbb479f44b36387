/** Each piece of a text is hashed to one of 32,768 numbers, its slot. Few different numbers keep the index small. */
const SLOTS = 32_768;
const SPACE = 32;

/**
 * The slots of a text, each once: of every character, every two neighbours, every three of ASCII; none with a space in it. Texts that
 * share a slot are compared themselves.
 */
export function slotsOfText(text: string): number[] {
  const slots: number[] = [];
  const seen = new Uint8Array(SLOTS);
  const add = (slot: number) => {
    if (seen[slot] === 0) slots.push(slot);
    seen[slot] = 1;
  };
  let last = SPACE;
  let [one, two] = [0, 0];
  let run = 0;
  for (let at = 0; at < text.length; at += last > 0xffff ? 2 : 1) {
    const code = text.codePointAt(at) ?? SPACE;
    const three = mix(two, code);
    two = mix(one, code);
    one = mix(0, code);
    run = code < 128 && code !== SPACE ? run + 1 : 0;
    if (code !== SPACE) {
      add(slotOf(one, 1));
      if (last !== SPACE) add(slotOf(two, 2));
      if (run > 2) add(slotOf(three, 3));
    }
    last = code;
  }
  return slots;
}

/** The slots that every text with these words has: as few as leave little to compare. */
export function slotsOfWords(words: readonly string[]): number[] {
  const slots = words.flatMap(piecesOf).map((codes) => slotOf(codes.reduce(mix, 0), codes.length));
  return [...new Set(slots)];
}

/**
 * The pieces of a word, as code points: every three of ASCII, every two where one is not, the only character of a short word. “abcd”
 * gives abc, bcd; “价格单” gives 价格, 格单; a word of two gives the pair and both characters, because too many texts share the slot of one
 * pair.
 */
function piecesOf(word: string): number[][] {
  const codes = Array.from(word, (character) => character.codePointAt(0) ?? SPACE);
  if (codes.length <= 2) return codes.length === 1 ? [codes] : [codes, ...codes.map((code) => [code])];
  const hasTriple = (at: number) =>
    at >= 0 && at + 2 < codes.length && codes.slice(at, at + 3).every((code) => code < 128);
  return codes.slice(1).flatMap((_, at) => {
    if (hasTriple(at)) return [codes.slice(at, at + 3)];
    return hasTriple(at - 1) ? [] : [codes.slice(at, at + 2)];
  });
}

/** The state of a hash, 0 at first, with one code point more: MurmurHash3 x86_32 (https://github.com/aappleby/smhasher). */
function mix(state: number, code: number): number {
  const word = Math.imul(code, 0xcc9e2d51);
  const mixed = state ^ Math.imul((word << 15) | (word >>> 17), 0x1b873593);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

/** The slot that the hash of so many code points ends as. */
function slotOf(state: number, length: number): number {
  let hash = state ^ (length * 4);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & (SLOTS - 1);
}

/** Marks on one character beyond those that any writing has: Unicode's stream-safe form (UAX #15, section 13) allows thirty. */
const MARKS_BEYOND = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/**
 * Text as search compares it: one width (NFKC) and one case, at most thirty marks on a character, since to put marks in order takes
 * the square of their number. A folded text folds to itself.
 */
export function foldText(text: string): string {
  const bounded = text.replace(MARKS_BEYOND, '$1');
  return bounded.normalize('NFKC').toLowerCase().normalize('NFKC').replace(MARKS_BEYOND, '$1');
}

/** Characters of a message that are searched: far above what models answer, far below what may be stored. */
export const MAX_SEARCHED = 100_000;

/** What was said in a message as search compares it: no more of it than is searched, folded, with one space for each gap. */
export function foldMessage(said: string): string {
  return foldText(said.slice(0, MAX_SEARCHED).toWellFormed()).replace(/\s+/g, ' ');
}
