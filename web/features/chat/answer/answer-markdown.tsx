import { startTransition, useEffect, useState } from 'react';
import { tieBlocks } from './answer-ties.ts';
import { BlockGroup } from './block-group.tsx';
import { copyClean } from './copy-clean.ts';
import { Footnotes } from './footnotes.tsx';
import { groupBlocks } from './parse/group-blocks.ts';
import { EMPTY_SPLIT, splitBlocks } from './parse/split-blocks.ts';
import './answer.css';

interface AnswerMarkdownProps {
  /** Keeps the anchors of footnotes apart from those of other answers. */
  messageId: string;
  text: string;
  /** More text is to come: half-written marks at the end are closed for show. */
  running: boolean;
}

/**
 * An answer as Markdown, drawn block by block: while it grows, only blocks whose source changed are parsed and rendered again.
 * Raw HTML is shown as text, and no address in it is loaded.
 */
export function AnswerMarkdown({ messageId, text, running }: AnswerMarkdownProps) {
  const [split] = useState(createSplitter);
  const [, setWindows] = useState(0);
  const { blocks, more } = split(text);
  useEffect(() => {
    if (more) startTransition(() => setWindows((count) => count + 1));
  });
  const ties = tieBlocks(blocks);
  const groups = groupBlocks(blocks);
  return (
    <div className="answer" onCopy={copyClean}>
      {groups.map((group, place) => {
        const isLast = place === groups.length - 1;
        return (
          <BlockGroup
            // biome-ignore lint/suspicious/noArrayIndexKey: a group never changes its place, and only the last ones change.
            key={place}
            messageId={messageId}
            blocks={group}
            ties={ties}
            open={running && isLast && !more}
            atOnce={running && place >= groups.length - 2}
          />
        );
      })}
      {ties && ties.footnotes.length > 0 ? <Footnotes messageId={messageId} ties={ties} /> : null}
    </div>
  );
}

function createSplitter() {
  let last = EMPTY_SPLIT;
  return (text: string) => {
    last = splitBlocks(last, text);
    return last;
  };
}
