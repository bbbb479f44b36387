import { Lexer, type Token } from 'marked';

/** One top-level piece of an answer: a fenced or indented code block, or any other Markdown. */
export type AnswerBlock =
  | { kind: 'markdown'; source: string }
  | { kind: 'code'; source: string; language: string; code: string };

export interface SplitAnswer {
  /** The text that was split, line ends normalised. */
  text: string;
  /** Blocks that no further text can change, and how much of `text` they cover. */
  settled: readonly AnswerBlock[];
  settledLength: number;
  /** All blocks: the settled ones and the tail. */
  blocks: readonly AnswerBlock[];
}

export const EMPTY_SPLIT: SplitAnswer = { text: '', settled: [], settledLength: 0, blocks: [] };

/** A list, a table or a paragraph can still grow over a blank line, so the last blocks are kept open. */
const OPEN_BLOCKS = 2;

/**
 * Splits an answer that grows into blocks; only the part behind the settled blocks of `previous` is read again. The sources of
 * all blocks joined are the text. A text that does not continue the previous one is split from its beginning.
 */
export function splitBlocks(previous: SplitAnswer, answer: string): SplitAnswer {
  const text = answer.includes('\r') ? answer.replace(/\r\n?/g, '\n') : answer;
  if (text === previous.text) return previous;
  const start = continues(previous, text) ? previous : EMPTY_SPLIT;
  const tail = readBlocks(text.slice(start.settledLength));
  const closed = tail.slice(0, Math.max(0, tail.length - OPEN_BLOCKS));
  const settled = closed.length === 0 ? start.settled : [...start.settled, ...closed];
  const settledLength = closed.reduce((length, block) => length + block.source.length, start.settledLength);
  return { text, settled, settledLength, blocks: [...start.settled, ...tail] };
}

/**
 * Must the finished answer be rendered as one piece: link definitions and footnotes tie blocks together, wherever they stand.
 */
export function isTiedTogether(text: string): boolean {
  return /^ {0,3}\[[^\]]+\]:/m.test(text);
}

function continues(previous: SplitAnswer, text: string): boolean {
  return text.startsWith(previous.text.slice(0, previous.settledLength));
}

function readBlocks(text: string): AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  let from = 0;
  let to = 0;
  for (const token of new Lexer({ gfm: true }).blockTokens(text)) {
    to += token.raw.length;
    if (token.type === 'space') continue;
    blocks.push(blockOf(token, text.slice(from, to)));
    from = to;
  }
  if (to !== text.length) return [{ kind: 'markdown', source: text }];
  const last = blocks.pop();
  if (!last) return text === '' ? [] : [{ kind: 'markdown', source: text }];
  return [...blocks, { ...last, source: last.source + text.slice(from) }];
}

/** `source` is taken from the text, because the lexer's `raw` keeps the length but not every character. */
function blockOf(token: Token, source: string): AnswerBlock {
  if (token.type !== 'code') return { kind: 'markdown', source };
  const language = /^\S*/.exec(token.lang ?? '')?.[0] ?? '';
  return { kind: 'code', source, language, code: token.text };
}
