import type { AnswerBlock } from './split-blocks.ts';

/** Characters from which on a group is full. */
const GROUP_SIZE = 2_500;

/** Blocks in groups that are drawn, skipped and compared as one; a group that is full stays as it is while the answer grows. */
export function groupBlocks(blocks: readonly AnswerBlock[]): AnswerBlock[][] {
  const groups: AnswerBlock[][] = [];
  let room = 0;
  for (const block of blocks) {
    if (room <= 0) {
      groups.push([]);
      room = GROUP_SIZE;
    }
    groups.at(-1)?.push(block);
    room -= block.source.length;
  }
  return groups;
}

/** About how tall a group will be, in px; right enough for the scroll bar. */
export function guessHeight(blocks: readonly AnswerBlock[]): number {
  return Math.round(blocks.reduce((height, block) => height + guessBlock(block), 0));
}

function guessBlock({ kind, source }: AnswerBlock): number {
  const lines = source.trimEnd().split('\n');
  if (kind === 'code') return (lines.length - 2) * 22 + 75;
  if (kind === 'table') return (lines.length - 1) * 41 + 15;
  if (kind === 'definition' || kind === 'footnote') return 0;
  return lines.reduce((height, line) => height + guessLines(line) * 26, 15);
}

/** About how many lines of an answer's column a line of text takes; 0 for an empty one. */
export function guessLines(line: string): number {
  let width = 0;
  for (const character of line) width += character > '\u2e7f' ? 16 : 8;
  return Math.ceil(width / 600);
}
