import { isValidElement, type ReactElement, type ReactNode } from 'react';
import type { Components } from 'react-markdown';
import { useTranslation } from '#web/lib/i18n.tsx';
import { hasHan } from '#web/ui/text/latin-class.ts';
import { AnswerLink, textOf } from './answer-link.tsx';
import { CodeBlock } from './code/code-block.tsx';
import { Formula } from './formula.tsx';
import { readMarked } from './parse/mark-math.ts';
import { SourceMark } from './parts/source-marks.tsx';
import { RemotePicture } from './remote-picture.tsx';

/** How the elements of an answer are drawn; headings stand below the page's own h1 and h2. */
export const MARKDOWN_ELEMENTS: Components = {
  h1: ({ children }) => <h3 className="level-1">{children}</h3>,
  h2: ({ children }) => <h3 className="level-2">{children}</h3>,
  h3: ({ children }) => <h3 className="level-3">{children}</h3>,
  h4: ({ children }) => <h4 className="level-3">{children}</h4>,
  h5: ({ children }) => <h4 className="level-3">{children}</h4>,
  h6: ({ children }) => <h4 className="level-3">{children}</h4>,
  a: ({ node: _, ...link }) => <AnswerLink {...link} />,
  img: ({ src, alt }) => <RemotePicture src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  em: ({ children }) => <em className={hasHan(textOf(children)) ? 'han' : undefined}>{children}</em>,
  code: ({ children }) => <InlineCode>{children}</InlineCode>,
  pre: ({ children }) => <NestedCode>{children}</NestedCode>,
  table: ({ children }) => <ScrollingTable>{children}</ScrollingTable>,
  mark: ({ node }) => (
    <SourceMark
      numbers={String(node?.properties['data-sources'] ?? '')}
      wide={node?.properties['data-wide'] !== undefined}
    />
  ),
  input: ({ checked }) => <TaskMark done={checked === true} />,
};

/** Code within a line, or a formula in its disguise. */
function InlineCode({ children }: { children: ReactNode }) {
  const marked = typeof children === 'string' ? readMarked(children) : null;
  return marked ? <Formula {...marked} /> : <code>{children}</code>;
}

/** Code inside a list or a quotation, which is not a block of its own. */
function NestedCode({ children }: { children: ReactNode }) {
  const code = isValidElement(children) ? (children as ReactElement<{ className?: string }>) : null;
  const language = /language-(\S+)/.exec(code?.props.className ?? '')?.[1] ?? '';
  return <CodeBlock language={language} code={textOf(children).replace(/\n$/, '')} />;
}

function TaskMark({ done }: { done: boolean }) {
  const { t } = useTranslation('common');
  const label = done ? t('chat.taskDone') : t('chat.taskOpen');
  return <input type="checkbox" checked={done} disabled aria-label={label} />;
}

/** A table in a box that scrolls by itself. */
export function ScrollingTable({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too.
    <div className="wide-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}
