/** Lines that belong together. A mark may stand within `prose`, and only behind what is `literal`, such as code. */
export interface Block {
  from: number;
  /** Behind the blank lines that follow it. */
  to: number;
  /** Behind its last line with text. */
  end: number;
  kind: 'prose' | 'literal';
  /** What a line begins with that belongs beside it, in a list or a quotation. */
  prefix: string;
}

/** What a line begins with in lists and quotations. */
const HEAD = /^[ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*)*/;
export const LIST_ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const FENCE = /^(?:`{3,}(?=[^`]*$)|~{3,})/;
const HTML = /^<(?:\/?[a-zA-Z][a-zA-Z0-9-]*(?=[\s/>]|$)|!--|[?!])/;

/** Lines that are no text, with how they end; `ending`: the line that they need where they do not. */
interface Opened {
  isEnd(line: string): boolean;
  ending: string;
  /** It ends with its first line. */
  isWhole?: boolean;
}

/** The blocks of a Markdown text, which are all of it, and the line that ends the last one where that is code without an end. */
export function readBlocks(text: string): { blocks: Block[]; ending: string } {
  const blocks: Block[] = [];
  let open: Opened | null = null;
  let isInList = false;
  let isAfterBlank = true;
  let at = 0;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    const to = lineEnd === -1 ? text.length : lineEnd + 1;
    const line = text.slice(at, lineEnd === -1 ? to : lineEnd).replace(/\r$/, '');
    const isBlank = line.trim() === '';
    const last = blocks.at(-1);
    if (last && open) {
      if (open.isEnd(line)) open = null;
      last.to = to;
      if (open || !isBlank) last.end = to;
    } else if (last && isBlank) last.to = to;
    else {
      const head = HEAD.exec(line)?.[0] ?? '';
      const prefix = head.replace(/[^>\t]/g, ' ');
      open = openLiteral(line.slice(head.length), prefix);
      const isIndented = /^(?: {4}|\t)/.test(line) && !isInList && isAfterBlank;
      const isLiteral = open !== null || isIndented;
      if (!last || isLiteral || isAfterBlank || last.kind === 'literal') {
        const kind = isLiteral ? 'literal' : 'prose';
        blocks.push({ from: at, to, end: to, kind, prefix: isIndented ? '' : prefix });
      } else Object.assign(last, { to, end: to });
      if (open?.isWhole) open = null;
      if (!/^[ \t]/.test(line)) isInList = LIST_ITEM.test(line);
    }
    isAfterBlank = !open && isBlank;
    at = to;
  }
  return { blocks, ending: open?.ending ?? '' };
}

/** What begins with a line and is no text; null where it is. */
function openLiteral(rest: string, prefix: string): Opened | null {
  const fence = FENCE.exec(rest)?.[0];
  if (fence !== undefined) {
    const end = new RegExp(`^[\\s>]*${fence[0]}{${fence.length},}[ \\t]*$`);
    return { isEnd: (line) => end.test(line), ending: `${prefix}${fence}\n` };
  }
  for (const [begin, end] of [
    ['$$', '$$'],
    ['\\[', '\\]'],
  ] as const) {
    if (!rest.startsWith(begin)) continue;
    if (rest.slice(2).includes(end))
      return rest.trimEnd().endsWith(end) ? { isEnd: () => true, ending: '', isWhole: true } : null;
    return { isEnd: (line) => line.trimEnd().endsWith(end) || line.trim() === '', ending: '' };
  }
  return HTML.test(rest) ? { isEnd: (line) => line.trim() === '', ending: '' } : null;
}
