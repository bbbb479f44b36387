import { memo } from 'react';
import { useModule } from '#web/lib/use-module.ts';
import { latinClass } from '#web/ui/text/latin-class.ts';
import { CodeBlock } from './code/code-block.tsx';
import { Formula } from './formula.tsx';
import { LongTable } from './long-table.tsx';
import { MarkdownText } from './markdown-text.tsx';
import type { MarkedBlock } from './parse/place-marks.ts';
import type { AnswerBlock as Block } from './parse/split-blocks.ts';
import { SourceMark } from './parts/source-marks.tsx';

const DIAGRAM = 'mermaid';
const loadDiagram = () => import('./picture/diagram.tsx');

interface AnswerBlockProps {
  messageId: string;
  block: Block;
  /** The block with the marks of its sources; null without any. */
  marked: MarkedBlock | null;
  /** More of it is to come. */
  open: boolean;
  /** See `tiesOf`. */
  ties: string;
}

/** One block of an answer; drawn again only when its source changed, or what it is tied to. */
export const AnswerBlock = memo(
  (props: AnswerBlockProps) => (
    <div dir="auto" className={latinClass(props.block.source)}>
      {draw(props)}
      {props.marked && props.marked.behind.length > 0 ? (
        <div className="marks-behind">
          <SourceMark numbers={props.marked.behind.join()} wide />
        </div>
      ) : null}
    </div>
  ),
  (before, after) =>
    before.open === after.open &&
    before.ties === after.ties &&
    before.block.source === after.block.source &&
    JSON.stringify(before.marked) === JSON.stringify(after.marked),
);

function draw({ messageId, block, marked, open, ties }: AnswerBlockProps) {
  const { kind } = block;
  const source = marked?.source ?? block.source;
  if (kind === 'math') return <Formula formula={block.formula} display />;
  if (kind === 'code' && block.language === DIAGRAM) return <DiagramBlock source={block.code} open={open} />;
  if (kind === 'code') return <CodeBlock language={block.language} code={block.code} open={open} />;
  if (kind === 'table') return <LongTable messageId={messageId} source={source} open={open} ties={ties} />;
  return <MarkdownText messageId={messageId} source={source} open={open} ties={ties} />;
}

/** A diagram; its source while that grows, and until what draws it is here. */
function DiagramBlock({ source, open }: { source: string; open: boolean }) {
  const diagram = useModule(true, loadDiagram);
  if (diagram && !open) return <diagram.Diagram source={source} />;
  return <CodeBlock language={DIAGRAM} code={source} open={open} />;
}
