import { Lexer, type Token } from 'marked';
import { limitNesting } from './limit-nesting.ts';
import { OWN_BLOCKS, type OwnToken } from './own-blocks.ts';

/** One top-level piece of an answer. */
export type AnswerBlock =
  | { kind: 'markdown' | 'table' | 'definition'; source: string }
  | { kind: 'code'; source: string; language: string; code: string }
  | { kind: 'math'; source: string; formula: string }
  | { kind: 'footnote'; source: string; label: string; text: string };

export interface SplitAnswer {
  /** The text that was split, line ends normalised. */
  text: string;
  /** Blocks that no further text can change, and how much of `text` they cover. */
  settled: readonly AnswerBlock[];
  settledLength: number;
  /** All blocks: the settled ones and the tail. */
  blocks: readonly AnswerBlock[];
  /** The answer goes on behind `text`: split it again from here. */
  more: boolean;
}

export const EMPTY_SPLIT: SplitAnswer = { text: '', settled: [], settledLength: 0, blocks: [], more: false };

/** A list, a table or a paragraph can still grow over a blank line, so the last blocks are kept open. */
const OPEN_BLOCKS = 2;
/** Characters that are split in one go, so that even a book does not block the page. */
const WINDOW = 60_000;
/** Characters of a list, a quotation or a paragraph, from where it goes on as another one: reading them all takes too long. */
const MAX_BLOCK = 10_000;

/**
 * Splits an answer that grows into blocks; only the part behind the settled blocks of `previous` is read again. The sources of
 * all blocks joined are the text. A text that does not continue the previous one is split from its beginning. Of a long text one
 * window is split at a time (see `more`).
 */
export function splitBlocks(previous: SplitAnswer, answer: string): SplitAnswer {
  const text = answer.includes('\r') ? answer.replace(/\r\n?/g, '\n') : answer;
  if (text === previous.text) return previous;
  const start = continues(previous, text) ? previous : EMPTY_SPLIT;
  const from = start.settledLength;
  for (let size = WINDOW; ; size *= 2) {
    const seen = text.slice(0, from + size);
    const more = seen.length < text.length;
    const { blocks, cut } = readBlocks(seen.slice(from));
    const closed = cut ? blocks : blocks.slice(0, Math.max(0, blocks.length - OPEN_BLOCKS));
    if (more && closed.length === 0) continue;
    const settled = closed.length === 0 ? start.settled : [...start.settled, ...closed];
    const settledLength = closed.reduce((length, block) => length + block.source.length, from);
    if (more || cut) {
      const known = text.slice(0, settledLength);
      return { text: known, settled, settledLength, blocks: settled, more: settledLength < text.length };
    }
    return { text, settled, settledLength, blocks: [...start.settled, ...blocks], more: false };
  }
}

function continues(previous: SplitAnswer, text: string): boolean {
  return text.startsWith(previous.text.slice(0, previous.settledLength));
}

/** The blocks of a text; when one is too long, they end `cut` within it. */
function readBlocks(text: string): { blocks: AnswerBlock[]; cut: boolean } {
  const blocks: AnswerBlock[] = [];
  let from = 0;
  let to = 0;
  const lexer = new Lexer({ gfm: true, extensions: OWN_BLOCKS });
  for (const token of lexer.blockTokens(limitNesting(text))) {
    to += token.raw.length;
    if (token.type === 'space') continue;
    const block = blockOf(token, text.slice(from, to));
    if (block.kind === 'markdown' && block.source.length > MAX_BLOCK) {
      return { blocks: [...blocks, { ...block, source: cutOff(block.source) }], cut: true };
    }
    blocks.push(block);
    from = to;
  }
  if (to !== text.length) return { blocks: [{ kind: 'markdown', source: text }], cut: false };
  const last = blocks.pop();
  if (!last) return { blocks: text === '' ? [] : [{ kind: 'markdown', source: text }], cut: false };
  return { blocks: [...blocks, { ...last, source: last.source + text.slice(from) }], cut: false };
}

/** The longest beginning that ends with a line, best with one that the next line does not belong to. */
function cutOff(source: string): string {
  const most = source.slice(0, MAX_BLOCK);
  const atMargin = [...most.matchAll(/\n(?=\S)/g)].at(-1)?.index ?? -1;
  for (const end of [atMargin, most.lastIndexOf('\n')]) {
    if (end > MAX_BLOCK / 2) return most.slice(0, end + 1);
  }
  const pair = /[\uD800-\uDBFF]$/.test(most) ? 1 : 0;
  return most.slice(0, most.length - pair);
}

/** `source` is taken from the text, because the lexer's `raw` keeps the length but not every character. */
function blockOf(token: Token, source: string): AnswerBlock {
  if (token.type === 'code') {
    const language = /^\S*/.exec(token.lang ?? '')?.[0] ?? '';
    return { kind: 'code', source, language, code: token.text };
  }
  if (token.type === 'table') return { kind: 'table', source };
  if (token.type === 'def') return { kind: 'definition', source };
  if (token.type === 'math' || token.type === 'footnote') return { ...(token as OwnToken).block, source };
  return { kind: 'markdown', source };
}
