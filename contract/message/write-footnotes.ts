import { readAtoms } from './markdown-atoms.ts';
import { type Block, LIST_ITEM, readBlocks } from './markdown-blocks.ts';

/** Which sources, by their places in a list, stand behind the characters up to `end` of a text, in UTF-16 code units. */
interface FootnoteSupport {
  end: number;
  sources: readonly number[];
}

/** Where marks stand: in a line, `isApart` behind a blank; or `behind` a block, in a paragraph of their own. */
interface Place {
  at: number;
  isApart?: boolean;
  behind?: Block;
}

/** What begins a line before any text: of a quotation, a list, a heading, a task, a footnote. */
const NO_TEXT =
  /^[\s|:=*_~>+#-]*(?:\d{1,9}[.)]?\s*)?(?:\[[ xX]?\]?\s*)?$|^ {0,3}\[\^[^\]\n]{0,200}(?:\]:?[ \t]*)?$/;
/** Lines without text: rules, the line beneath a table's head, definitions of links. */
const NO_LINE = /^[\s|:=*_~>+#-]*$|^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:/;

/** Characters of a line that are looked at: what is longer is text. */
const LONG_LINE = 600;
/** Lines without text that a mark goes back over. */
const MAX_BACK = 20;

/** What points to a source of a message in Markdown: a label that neither an answer nor another message has. */
export function footnoteLabel(messageId: string, source: number): string {
  return `[^${source + 1}-${messageId.slice(-8)}]`;
}

/**
 * A text of Markdown with footnotes behind what sources support. Where one would change what the Markdown means, it stands a little
 * before or behind: never within code, a link, a formula or emphasis. Code that never ends is ended.
 */
export function writeFootnotes(
  text: string,
  supports: readonly FootnoteSupport[],
  labelOf: (source: number) => string,
): string {
  if (supports.length === 0) return text;
  const { blocks, ending: lastLine } = readBlocks(text);
  let ending = lastLine;
  let written = '';
  let done = 0;
  for (const [place, sources] of gather(text, blocks, supports)) {
    written += text.slice(done, place.at);
    done = place.at;
    const marks = [...sources].map(labelOf).join('');
    if (place.behind) {
      const isLast = place.behind === blocks.at(-1);
      written += (text[done - 1] === '\n' ? '' : '\n') + (isLast ? ending : '');
      written += paragraphOf(marks, place.behind.prefix, text.slice(done, done + 200));
      if (isLast) ending = '';
    } else written += (place.isApart ? ' ' : '') + marks;
  }
  const rest = text.slice(done);
  return ending === '' ? written + rest : `${written}${rest}${text.endsWith('\n') ? '' : '\n'}${ending}`;
}

/** The places of all marks, in their order, each with its sources. */
function gather(
  text: string,
  blocks: readonly Block[],
  supports: readonly FootnoteSupport[],
): [Place, Set<number>][] {
  const found = new Map<number, [Place, Set<number>]>();
  const ends = supports.toSorted((one, other) => one.end - other.end);
  let index = 0;
  let atoms: ReturnType<typeof readAtoms> | null = null;
  let [before, last] = [0, 0];
  for (const { end, sources } of ends) {
    const to = Math.min(end, text.length);
    const visible = lastVisible(text, to, before);
    last = visible > before ? visible : last;
    before = to;
    while (index < blocks.length - 1 && (blocks[index]?.to ?? 0) < last) {
      index += 1;
      atoms = null;
    }
    const block = blocks[index];
    if (!block || sources.length === 0) continue;
    let place: Place = { at: block.end, behind: block };
    if (block.kind === 'prose') {
      atoms ??= readAtoms(text.slice(block.from, block.to));
      place = placeIn(text, block, last, atoms);
    }
    const key = place.behind ? place.at + 0.5 : place.at;
    const known = found.get(key);
    if (!known) found.set(key, [place, new Set(sources)]);
    else for (const source of sources) known[1].add(source);
  }
  return [...found].sort(([one], [other]) => one - other).map(([, each]) => each);
}

/** Behind the last character before a place that is more than a blank, not before `least`. */
function lastVisible(text: string, end: number, least: number): number {
  let at = end;
  while (at > least && /\s/.test(text[at - 1] ?? '')) at -= 1;
  return at;
}

function placeIn(text: string, block: Block, end: number, atoms: ReturnType<typeof readAtoms>): Place {
  let at = end;
  for (let left = MAX_BACK; ; left -= 1) {
    if (at <= block.from || left === 0) return { at: block.end, behind: block };
    const lineStart = startOfLine(text, at, block.from);
    if (lineStart === null || !isNoText(text, lineStart, at)) break;
    at = lastVisible(text, lineStart, block.from);
  }
  // The bar at the end of a row of a table.
  if (text[at - 1] === '|' && /^[ \t]*(?:\r?\n|$)/.test(text.slice(at, at + 80))) {
    at = lastVisible(text, at - 1, block.from);
  }
  const moved = atoms(at - block.from);
  if (moved) return { at: moved.at + block.from, isApart: moved.isApart };
  if (/[\uD800-\uDBFF]/.test(text[at - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[at] ?? '')) at += 1;
  // With a parenthesis behind it a label would be a link.
  return { at: text[at] === '(' ? at + 1 : at };
}

/** Null where the line began long before. */
function startOfLine(text: string, at: number, least: number): number | null {
  const from = Math.max(least, at - LONG_LINE);
  const found = text.slice(from, at).lastIndexOf('\n');
  return found !== -1 ? from + found + 1 : from === least ? least : null;
}

function isNoText(text: string, lineStart: number, at: number): boolean {
  if (NO_TEXT.test(text.slice(lineStart, at))) return true;
  const [line = ''] = text.slice(lineStart, lineStart + LONG_LINE).split('\n', 1);
  return NO_LINE.test(line);
}

/** Marks as a paragraph behind the end of a line, before what goes on with `next`. */
function paragraphOf(marks: string, prefix: string, next: string): string {
  const isFollowed = !/^(?:\r?\n|$)/.test(next);
  // A blank line would part the items of a list.
  if (prefix.trim() === '' && prefix !== '') {
    return `${prefix}${marks}\n${isFollowed && !LIST_ITEM.test(next) ? '\n' : ''}`;
  }
  const bare = prefix.trimEnd();
  return `${bare}\n${prefix}${marks}\n${isFollowed ? `${bare}\n` : ''}`;
}
