import type { AnswerBlock } from './split-blocks.ts';

/** Which sources, by their places in a list, stand behind the characters up to `end` of an answer, in UTF-16 code units. */
export interface Support {
  end: number;
  sources: readonly number[];
}

/** The source of a block with its marks in it, as `drawMarks` finds them, and the numbers that stand behind the block. */
export interface MarkedBlock {
  source: string;
  behind: readonly number[];
}

/** Characters of private use around the numbers of a mark. */
const OPEN = '\uE010';
const CLOSE = '\uE011';
const MARK = /\uE010([\d,]*)\uE011/g;
/** What Markdown gives a meaning of its own at the end of a word: a mark stands before it. */
const CLOSING = /[\s*_~|]/;
/** No text: a rule, a heading's underline, the line beneath the head of a table, or how a line of a list begins. */
const NO_TEXT = /^[\s|:=*_~>+#-]*(?:\d{1,9}[.)]?\s*)?$/;
/** The rest of a word, an address or an entity of Latin letters, which is not cut. */
const WORD_REST = /^[!-)+-^`a-{}]*[A-Za-z0-9&;/@#%=$\\<>[\]!^)`]/;
const FENCE = /^[\s>]*(?:`{3,}|~{3,})/;
/** The rest of a link whose text or address the mark would stand in. */
const LINK_REST = /^[^[\]\n]{0,500}\](?:\([^()\s]{0,2000}\)|\[[^\]\n]{0,500}\])?/;

/** The supports of a text, counted as `splitBlocks` returns it: with one character for every line end. */
export function countLineEndsOnce(text: string, supports: readonly Support[]): readonly Support[] {
  if (!text.includes('\r\n')) return supports;
  const returns = [...text.matchAll(/\r\n/g)].map(({ index }) => index);
  return supports.map(({ end, sources }) => ({
    end: end - returns.filter((index) => index < end).length,
    sources,
  }));
}

/**
 * Puts the marks of an answer into its blocks, each behind the characters that it is about. Where it would change what the Markdown
 * means it stands a little before or after; what is no text, such as code, has its marks behind it. Null for blocks without marks.
 */
export function placeMarks(
  blocks: readonly AnswerBlock[],
  supports: readonly Support[],
): (MarkedBlock | null)[] {
  const ends = supports.toSorted((a, b) => a.end - b.end);
  let from = 0;
  let next = 0;
  return blocks.map((block) => {
    const to = from + block.source.length;
    const own: Support[] = [];
    for (; next < ends.length && (ends[next]?.end ?? 0) <= to; next += 1) {
      const support = ends[next];
      if (support && support.end > from) own.push({ ...support, end: support.end - from });
    }
    from = to;
    return own.length === 0 ? null : markBlock(block, own);
  });
}

function markBlock({ kind, source }: AnswerBlock, supports: readonly Support[]): MarkedBlock {
  const clean = source.replace(/[\uE010\uE011]/g, '\uFFFD');
  const places = new Map<number, Set<number>>();
  const behind = new Set<number>();
  for (const { end, sources } of supports) {
    const at = kind === 'markdown' || kind === 'table' ? placeOf(clean, end) : null;
    const numbers = at === null ? behind : (places.get(at) ?? new Set());
    for (const number of sources) numbers.add(number);
    if (at !== null) places.set(at, numbers);
  }
  let marked = '';
  let done = 0;
  for (const [at, numbers] of [...places].sort(([a], [b]) => a - b)) {
    marked += `${clean.slice(done, at)}${OPEN}${sorted(numbers).join()}${CLOSE}`;
    done = at;
  }
  return { source: marked + clean.slice(done), behind: sorted(behind) };
}

/** Where in a source a mark about the characters before `end` stands; null where there is no place for one. */
function placeOf(source: string, end: number): number | null {
  let at = end;
  while (at > 0 && CLOSING.test(source[at - 1] ?? '')) at -= 1;
  if (at === 0) return null;
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = source.indexOf('\n', at);
  const line = source.slice(lineStart, lineEnd === -1 ? source.length : lineEnd);
  if (FENCE.test(line)) return null;
  if (NO_TEXT.test(source.slice(lineStart, at))) return placeOf(source, lineStart);
  if (NO_TEXT.test(line)) return placeOf(source, lineStart);
  const place = afterLink(source, lineStart, at);
  const isWithin = /[!-~]/.test(source[place - 1] ?? '');
  const rest = isWithin ? (WORD_REST.exec(source.slice(place, place + 2_000))?.[0] ?? '') : '';
  return place + rest.length;
}

/** Behind the link that the place is in, else the place itself. */
function afterLink(source: string, lineStart: number, at: number): number {
  const before = source.slice(lineStart, at);
  const address = /\]\([^()\s]*$/.exec(before);
  if (address) return at + (/^[^()\s]*\)/.exec(source.slice(at))?.[0].length ?? 0);
  if (before.lastIndexOf('[') <= before.lastIndexOf(']') && !before.endsWith(']')) return split(source, at);
  const rest = before.endsWith(']') ? /^(?:\([^()\s]{0,2000}\)|\[[^\]\n]{0,500}\])/ : LINK_REST;
  return split(source, at + (rest.exec(source.slice(at))?.[0].length ?? 0));
}

/** Not between a backslash and what it escapes, nor within a character of two units. */
function split(source: string, at: number): number {
  return /(?:\\|[\uD800-\uDBFF])$/.test(source.slice(at - 1, at)) ? at + 1 : at;
}

function sorted(numbers: ReadonlySet<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}

/** Whether there are marks in a source. */
export function hasMarks(source: string): boolean {
  return source.includes(OPEN);
}

/** The source without its marks. */
export function withoutMarks(source: string): string {
  return source.replace(MARK, '');
}

interface Node {
  type: string;
  value?: string;
  url?: string;
  alt?: string | null;
  title?: string | null;
  children?: Node[];
  data?: Record<string, unknown>;
}

/** Remark plugin: draws marks as `<mark data-sources="0,2">`, never inside a link, code or a formula but behind it. */
export function drawMarks() {
  const visit = (parent: Node): void => {
    if (!parent.children) return;
    parent.children = parent.children.flatMap((child) => {
      if (child.type === 'text') return splitText(child.value ?? '');
      if (child.children && child.type !== 'link' && child.type !== 'linkReference') {
        visit(child);
        return [child];
      }
      const found: string[] = [];
      strip(child, found);
      return [child, ...found.map((numbers) => markNode(numbers, ''))];
    });
  };
  return visit;
}

function splitText(text: string): Node[] {
  const nodes: Node[] = [];
  let done = 0;
  for (const found of text.matchAll(MARK)) {
    const before = text.slice(done, found.index);
    if (before !== '') nodes.push({ type: 'text', value: before });
    nodes.push(markNode(found[1] ?? '', before.at(-1) ?? ''));
    done = found.index + found[0].length;
  }
  const rest = text.slice(done);
  return rest === '' ? nodes : [...nodes, { type: 'text', value: rest }];
}

/** Takes the marks out of a node and all that is in it. */
function strip(node: Node, found: string[]): void {
  const clean = (text: string) =>
    text.replace(MARK, (_, numbers: string) => {
      found.push(numbers);
      return '';
    });
  for (const key of ['value', 'alt', 'title'] as const) {
    const text = node[key];
    if (typeof text === 'string') node[key] = clean(text);
  }
  if (node.url) node.url = withoutMarks(node.url);
  for (const child of node.children ?? []) strip(child, found);
}

/** Within a full-width stop or comma, which is low, there is room for it. */
function markNode(numbers: string, before: string): Node {
  const isWide = /[\u3001\u3002\uFF0C\uFF0E]/.test(before);
  const hProperties = { 'data-sources': numbers, ...(isWide ? { 'data-wide': '' } : {}) };
  return { type: 'mark', data: { hName: 'mark', hProperties }, children: [] };
}
