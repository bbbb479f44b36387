import { memo } from 'react';
import { CodeBlock } from './code/code-block.tsx';
import { Formula } from './formula.tsx';
import { LongTable } from './long-table.tsx';
import { MarkdownText } from './markdown-text.tsx';
import type { AnswerBlock as Block } from './parse/split-blocks.ts';
import { Diagram } from './picture/diagram.tsx';

interface AnswerBlockProps {
  messageId: string;
  block: Block;
  /** More of it is to come. */
  open: boolean;
  /** See `tiesOf`. */
  ties: string;
}

/** One block of an answer; drawn again only when its source changed, or what it is tied to. */
export const AnswerBlock = memo(
  (props: AnswerBlockProps) => <div dir="auto">{draw(props)}</div>,
  (before, after) =>
    before.open === after.open && before.ties === after.ties && before.block.source === after.block.source,
);

function draw({ messageId, block, open, ties }: AnswerBlockProps) {
  const { kind, source } = block;
  if (kind === 'math') return <Formula formula={block.formula} display />;
  if (kind === 'code' && block.language === 'mermaid' && !open) return <Diagram source={block.code} />;
  if (kind === 'code') return <CodeBlock language={block.language} code={block.code} open={open} />;
  if (kind === 'table') return <LongTable messageId={messageId} source={source} open={open} ties={ties} />;
  return <MarkdownText messageId={messageId} source={source} open={open} ties={ties} />;
}
