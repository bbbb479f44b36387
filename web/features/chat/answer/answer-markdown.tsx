import { memo, useMemo, useState } from 'react';
import Markdown from 'react-markdown';
import remarkCjkFriendly from 'remark-cjk-friendly';
import remarkCjkFriendlyGfmStrikethrough from 'remark-cjk-friendly-gfm-strikethrough';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { useTranslation } from '#web/lib/i18n.tsx';
import { boundLinks } from './bound-links.ts';
import { CodeBlock } from './code-block.tsx';
import { keepBreaks } from './keep-breaks.ts';
import { MARKDOWN_ELEMENTS } from './markdown-elements.tsx';
import { type AnswerBlock, EMPTY_SPLIT, isTiedTogether, splitBlocks } from './split-blocks.ts';
import './answer.css';

/** remark-cjk-friendly stands before remark-gfm, so that `**中文。**后` is emphasis. */
const REMARK_PLUGINS = [remarkCjkFriendly, remarkGfm, remarkCjkFriendlyGfmStrikethrough, keepBreaks];

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
  const { t } = useTranslation('common');
  const [split] = useState(createSplitter);
  const whole = !running && isTiedTogether(text);
  const blocks: readonly AnswerBlock[] = whole ? [{ kind: 'markdown', source: text }] : split(text);
  const footnotes = useMemo(
    () => ({ clobberPrefix: `${messageId}-`, footnoteLabel: t('chat.footnotes') }),
    [messageId, t],
  );
  return (
    <div className="answer">
      {blocks.map((block, place) => {
        const open = running && place === blocks.length - 1;
        // biome-ignore lint/suspicious/noArrayIndexKey: a block never changes its place, and only the last ones change.
        return <Block key={place} block={block} open={open} footnotes={footnotes} />;
      })}
    </div>
  );
}

function createSplitter() {
  let last = EMPTY_SPLIT;
  return (text: string) => {
    last = splitBlocks(last, text);
    return last.blocks;
  };
}

interface BlockProps {
  block: AnswerBlock;
  open: boolean;
  footnotes: { clobberPrefix: string; footnoteLabel: string };
}

const Block = memo(
  ({ block, open, footnotes }: BlockProps) => (
    <div dir="auto">
      {block.kind === 'code' ? (
        <CodeBlock language={block.language} code={block.code} />
      ) : (
        <Markdown
          remarkPlugins={REMARK_PLUGINS}
          remarkRehypeOptions={footnotes}
          components={MARKDOWN_ELEMENTS}
        >
          {boundLinks(open ? remend(block.source, { linkMode: 'text-only', katex: false }) : block.source)}
        </Markdown>
      )}
    </div>
  ),
  (before, after) => before.open === after.open && before.block.source === after.block.source,
);
