import { decodeEntities } from './decode-entities.ts';

/** A piece of code on one line; its class says what it is to the language, '' nothing in particular. */
export type CodeToken = readonly [kind: string, text: string];

const PART = /<span class="([^"]*)">|<\/span>|([^<]+)/g;

/** Reads the HTML that highlight.js writes as lines of tokens; the innermost class counts. */
export function readTokens(html: string): CodeToken[][] {
  const lines: CodeToken[][] = [[]];
  const kinds: string[] = [];
  for (const [whole, kind, escaped] of html.matchAll(PART)) {
    if (kind !== undefined) kinds.push(kind);
    else if (whole === '</span>') kinds.pop();
    else addText(lines, kinds.at(-1) ?? '', escaped ?? '');
  }
  return lines;
}

function addText(lines: CodeToken[][], kind: string, escaped: string): void {
  for (const [place, piece] of decodeEntities(escaped).split('\n').entries()) {
    if (place > 0) lines.push([]);
    if (piece !== '') lines.at(-1)?.push([kind, piece]);
  }
}

/** Lines of code that are drawn as one piece. */
export const CHUNK_LINES = 100;

/** A list in pieces of `size`, the last one shorter. */
export function chunked<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let from = 0; from < all.length; from += size) chunks.push(all.slice(from, from + size));
  return chunks;
}
