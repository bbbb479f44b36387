import { startTransition, useEffect, useMemo, useState } from 'react';
import type { SourcesPart } from '#contract/message/parts.ts';
import { tieBlocks } from './answer-ties.ts';
import { BlockGroup } from './block-group.tsx';
import { copyClean } from './copy-clean.ts';
import { Footnotes } from './footnotes.tsx';
import { groupBlocks } from './parse/group-blocks.ts';
import { countLineEndsOnce, type MarkedBlock, placeMarks } from './parse/place-marks.ts';
import { type AnswerBlock, EMPTY_SPLIT, splitBlocks } from './parse/split-blocks.ts';
import { SourcesContext } from './parts/source-marks.tsx';
import './answer.css';

interface AnswerMarkdownProps {
  /** Keeps the anchors of footnotes apart from those of other answers. */
  messageId: string;
  text: string;
  /** The place of the text's first character in the answer, in UTF-16 code units. */
  start?: number;
  /** The sources of the answer, for the marks at its text. */
  sources?: SourcesPart | null;
  /** More text is to come: half-written marks at the end are closed for show. */
  running: boolean;
  /** Its end is in sight, or was when it was written: what comes last of it is drawn at once and in full. */
  watched?: boolean;
}

/** So many groups may hold the blocks that an answer still changes at its end. */
const FRESH = 2;

/**
 * An answer as Markdown, drawn block by block: while it grows, only blocks whose source changed are parsed and rendered again.
 * Raw HTML is shown as text, and no address in it is loaded.
 */
export function AnswerMarkdown({
  messageId,
  text,
  start = 0,
  sources = null,
  running,
  watched = running,
}: AnswerMarkdownProps) {
  const [split] = useState(createSplitter);
  const [, setWindows] = useState(0);
  const { blocks, more } = split(text);
  useEffect(() => {
    if (more) startTransition(() => setWindows((count) => count + 1));
  });
  const ties = tieBlocks(blocks);
  const groups = groupBlocks(blocks);
  const marks = useMarks(text, blocks, start, sources);
  let first = 0;
  const shown = (
    <div className="answer" onCopy={copyClean}>
      {groups.map((group, place) => {
        const from = first;
        first += group.length;
        const isLast = place === groups.length - 1;
        return (
          <BlockGroup
            // biome-ignore lint/suspicious/noArrayIndexKey: a group never changes its place, and only the last ones change.
            key={place}
            messageId={messageId}
            blocks={group}
            ties={ties}
            marks={marks?.slice(from, first) ?? null}
            open={running && isLast && !more}
            fresh={watched && place >= groups.length - FRESH}
          />
        );
      })}
      {ties && ties.footnotes.length > 0 ? <Footnotes messageId={messageId} ties={ties} /> : null}
    </div>
  );
  // Around every answer, so that one whose sources come is not drawn anew.
  return <SourcesContext value={sources?.sources ?? NO_SOURCES}>{shown}</SourcesContext>;
}

const NO_SOURCES: SourcesPart['sources'] = [];

/** The marks of each block; null for an answer without sources. */
function useMarks(
  text: string,
  blocks: readonly AnswerBlock[],
  start: number,
  sources: SourcesPart | null,
): readonly (MarkedBlock | null)[] | null {
  return useMemo(() => {
    if (!sources || sources.supports.length === 0) return null;
    const own = sources.supports.map(({ end, sources: places }) => ({ end: end - start, sources: places }));
    return placeMarks(blocks, countLineEndsOnce(text, own));
  }, [text, blocks, start, sources]);
}

function createSplitter() {
  let last = EMPTY_SPLIT;
  return (text: string) => {
    last = splitBlocks(last, text);
    return last;
  };
}
