import { type CSSProperties, memo, startTransition, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { AnswerBlock } from './answer-block.tsx';
import { type AnswerTies, tiesOf } from './answer-ties.ts';
import { guessHeight } from './parse/group-blocks.ts';
import type { MarkedBlock } from './parse/place-marks.ts';
import type { AnswerBlock as Block } from './parse/split-blocks.ts';
import { whenNearOrIdle } from './picture/reveal.ts';

interface BlockGroupProps {
  messageId: string;
  blocks: readonly Block[];
  ties: AnswerTies | null;
  /** The marks of sources in each block; null without any. */
  marks: readonly (MarkedBlock | null)[] | null;
  /** Its last block goes on growing. */
  open: boolean;
  /** Of the end of an answer that the reader sees or saw being written: no height of it is guessed, or is that of a moment ago. */
  fresh: boolean;
}

/** Some blocks of an answer: an empty place of about their height until the reader comes near. */
export const BlockGroup = memo(
  ({ messageId, blocks, ties, marks, open, fresh }: BlockGroupProps) => {
    const place = useRef<HTMLDivElement>(null);
    const [drawn, setDrawn] = useState(fresh || typeof IntersectionObserver === 'undefined');
    useEffect(() => {
      if (drawn || !place.current) return;
      return whenNearOrIdle(place.current, (atOnce) => {
        if (atOnce) flushSync(() => setDrawn(true));
        else startTransition(() => setDrawn(true));
      });
    }, [drawn]);
    const height = open ? undefined : ({ '--guess': `${guessHeight(blocks)}px` } as CSSProperties);
    if (!drawn) return <div ref={place} className="group coming" style={height} />;
    return (
      <div className={fresh ? 'group' : 'group settled'} style={height}>
        {blocks.map((block, index) =>
          block.kind === 'definition' || block.kind === 'footnote' ? null : (
            <AnswerBlock
              // biome-ignore lint/suspicious/noArrayIndexKey: a block never changes its place, and only the last ones change.
              key={index}
              messageId={messageId}
              block={block}
              marked={marks?.[index] ?? null}
              open={open && index === blocks.length - 1}
              ties={tiesOf(ties, block.source)}
            />
          ),
        )}
      </div>
    );
  },
  (before, after) =>
    before.open === after.open &&
    before.fresh === after.fresh &&
    before.ties === after.ties &&
    JSON.stringify(before.marks) === JSON.stringify(after.marks) &&
    areSame(before.blocks, after.blocks),
);

function areSame(before: readonly Block[], after: readonly Block[]): boolean {
  return (
    before.length === after.length && before.every((block, index) => block.source === after[index]?.source)
  );
}
