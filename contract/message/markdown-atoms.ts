/**
 * What a mark is not put into: `atom` is not divided, `address` is one without angle brackets, which goes on to the next blank (`until`:
 * as far as it is meant), and signs of emphasis belong to the words that they open or close.
 */
interface Item {
  from: number;
  to: number;
  kind: 'atom' | 'address' | 'opens' | 'closes' | 'none';
  until: number;
}

/** Where something begins that is more than a word. */
const SPECIAL = /[\\`$<&[!*_~]|https?:\/\/|www\./g;
const LABEL = String.raw`\[(?:[^[\]\\\n]|\\[^\n]|\[[^[\]\n]{0,300}\]){0,1000}\]`;
const LINK = new RegExp(
  String.raw`!?${LABEL}(?:\((?:<[^<>\n]{0,2000}>|[^()\s]{0,2000}(?:\([^()\s]{0,1000}\)[^()\s]{0,1000})*)(?:[ \t]+"[^"\n]{0,500}")?\)|${LABEL})?`,
  'y',
);
const ATOMS: Record<string, readonly RegExp[]> = {
  '\\': [/\\\([^\n]{0,400}?\\\)/y, /\\\[[^\n]{0,400}?\\\]/y, /\\[!-/:-@[-`{-~]/y],
  $: [/\$\$[^$]{1,4000}\$\$/y, /\$(?![\s$])(?:[^$\\\n\p{Script=Han}]|\\.){1,1000}(?<!\s)\$(?!\d)/uy],
  '<': [
    /<(?:[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]{0,2000}|[^\s@<>]{1,200}@[^\s<>]{1,200}|\/?[a-zA-Z][^<>]{0,2000}|!--[^<>]{0,2000}--)>/y,
  ],
  '&': [/&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});/y],
  '[': [LINK],
  '!': [LINK],
};
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>\p{Script=Han}\u3000-\u303f\uff00-\uffef]*/uy;
const TO_BLANK = /[^\s<]*/y;
const SIGNS = /\*+|_+|~+/y;
const TICKS = /`+/g;
/** Signs that may wait for their other ones; no text has as many. */
const MAX_OPEN = 50;

/**
 * Reads a paragraph. The answer says of a place in it where a mark stands instead that would change there what the Markdown means, and
 * whether behind a blank; null: it may stand there.
 */
export function readAtoms(text: string): (place: number) => { at: number; isApart: boolean } | null {
  const items = readItems(text);
  return (place) => {
    let at = place;
    for (let index = firstFrom(items, place); index < items.length; index += 1) {
      const item = items[index];
      if (!item || item.from > at) break;
      const isIn = item.from < at && at < item.to;
      if (item.kind === 'address' && item.from < at && at <= item.to) {
        return { at: Math.max(at, item.until), isApart: true };
      }
      if (item.kind === 'opens' && item.from < at && at <= item.to) return { at: item.from, isApart: false };
      if (isIn || (item.kind === 'closes' && at < item.to)) at = item.to;
      // It would become a sign of emphasis behind a mark.
      else if (item.kind === 'none' && item.from === at && text[at] === '_') at += lengthAt(/\w+/y, text, at);
    }
    return at === place ? null : { at, isApart: false };
  };
}

/** The first of the items, which are in order, that does not end before a place. */
function firstFrom(items: readonly Item[], place: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.to ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function readItems(text: string): Item[] {
  const items: Item[] = [];
  const endOfCode = readCode(text);
  const open: [string, Item][] = [];
  let at = 0;
  for (;;) {
    SPECIAL.lastIndex = at;
    const found = SPECIAL.exec(text);
    if (!found) return items;
    const from = found.index;
    const [sign = ''] = found;
    if (sign.length > 1) {
      const until = from + lengthAt(ADDRESS, text, from);
      at = from + lengthAt(TO_BLANK, text, from);
      items.push({ from, to: Math.max(at, until), kind: 'address', until });
      at = Math.max(at, until);
      continue;
    }
    if (sign === '*' || sign === '_' || sign === '~') {
      at = from + lengthAt(SIGNS, text, from);
      const item: Item = { from, to: at, kind: 'none', until: at };
      items.push(item);
      pairSigns(text, item, open);
      continue;
    }
    const length =
      sign === '`'
        ? endOfCode(from) - from
        : ((ATOMS[sign] ?? []).map((atom) => lengthAt(atom, text, from)).find((each) => each > 0) ?? 0);
    at = from + Math.max(length, 1);
    if (length > 1) items.push({ from, to: at, kind: 'atom', until: at });
  }
}

/** Says of signs that they close what such signs have opened, or may open something. */
function pairSigns(text: string, item: Item, open: [string, Item][]) {
  const [before = ' ', after = ' '] = [text[item.from - 1], text[item.to]];
  const sign = text.slice(item.from, item.to);
  const isWord = sign[0] === '_' && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
  if (isWord || sign === '~') return;
  const index = open.findLastIndex(([opening]) => opening === sign);
  if (/\S/.test(before) && index !== -1) {
    const [opening] = open.splice(index);
    if (opening) opening[1].kind = 'opens';
    item.kind = 'closes';
  } else if (/\S/.test(after) && open.length < MAX_OPEN) open.push([sign, item]);
}

/** Tells where code ends that begins with the backticks at a place: behind as many of them again, else behind themselves. */
function readCode(text: string): (from: number) => number {
  const runs = new Map<number, number[]>();
  if (text.includes('`')) {
    for (const { 0: ticks, index } of text.matchAll(TICKS)) {
      const places = runs.get(ticks.length);
      if (places) places.push(index);
      else runs.set(ticks.length, [index]);
    }
  }
  const seen = new Map<number, number>();
  return (from) => {
    const length = lengthAt(/`+/y, text, from);
    const places = runs.get(length) ?? [];
    let next = seen.get(length) ?? 0;
    while (next < places.length && (places[next] ?? 0) <= from) next += 1;
    seen.set(length, next);
    const end = places[next];
    return end === undefined ? from + length : end + length;
  };
}
