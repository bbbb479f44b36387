import Markdown, { type Components } from 'react-markdown';
import remarkCjkFriendly from 'remark-cjk-friendly/parseOnly';
import remarkCjkFriendlyGfmStrikethrough from 'remark-cjk-friendly-gfm-strikethrough/parseOnly';
import remend from 'remend';
import { type BlockTies, withTies } from './answer-ties.ts';
import { MARKDOWN_ELEMENTS } from './markdown-elements.tsx';
import { boundLinks } from './parse/bound-links.ts';
import { holdBack } from './parse/hold-back.ts';
import { keepBreaks } from './parse/keep-breaks.ts';
import { isDeep } from './parse/limit-nesting.ts';
import { markMath } from './parse/mark-math.ts';
import { numberNotes } from './parse/number-notes.ts';
import { drawMarks, hasMarks, withoutMarks } from './parse/place-marks.ts';
import { readGfm } from './parse/read-gfm.ts';
import { PlainOnError } from './plain-on-error.tsx';

/** remark-cjk-friendly stands before GFM, so that `**中文。**后` is emphasis. */
const REMARK_PLUGINS = [remarkCjkFriendly, readGfm, remarkCjkFriendlyGfmStrikethrough, keepBreaks];

/** Marks that may open or close something; reading the pairs of more would take longer than a reader waits. */
const MAX_MARKS = 1_000;
/** Of a growing block beyond this many characters, whole lines are shown. */
const LINEWISE_FROM = 2_000;

interface MarkdownTextProps {
  /** Keeps anchors apart from those of other answers. */
  messageId: string;
  source: string;
  /** More of it is to come: half-written marks at the end are closed for show. */
  open: boolean;
  /** See `tiesOf`. */
  ties: string;
  elements?: Components;
}

/** Markdown in one piece. Raw HTML is shown as text, and no address in it is loaded; what cannot be read is shown as written. */
export function MarkdownText({ messageId, source, open, ties, elements }: MarkdownTextProps) {
  const plain = <p className="as-written">{withoutMarks(source).trim()}</p>;
  const shown = markMath(open ? holdBack(lineWise(source)) : source);
  if (isTooMuch(shown)) return plain;
  const tied: BlockTies | null = ties === '' ? null : JSON.parse(ties);
  const closed = boundLinks(open ? remend(shown, { linkMode: 'text-only', katex: false }) : shown);
  const plugins = [
    ...REMARK_PLUGINS,
    [numberNotes, { prefix: messageId, notes: tied?.notes ?? {} }] as const,
    ...(hasMarks(source) ? [drawMarks] : []),
  ];
  return (
    <PlainOnError plain={plain}>
      <Markdown remarkPlugins={plugins as typeof REMARK_PLUGINS} components={elements ?? MARKDOWN_ELEMENTS}>
        {tied ? withTies(closed, tied) : closed}
      </Markdown>
    </PlainOnError>
  );
}

function lineWise(source: string): string {
  const lineEnd = source.length > LINEWISE_FROM ? source.lastIndexOf('\n') : -1;
  return lineEnd > 0 ? source.slice(0, lineEnd) : source;
}

function isTooMuch(source: string): boolean {
  if (isDeep(source)) return true;
  let marks = 0;
  for (const _ of source.matchAll(/[*_~`]+|[[\]<]/g)) marks += 1;
  return marks > MAX_MARKS;
}
