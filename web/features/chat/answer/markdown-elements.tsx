import { type AnchorHTMLAttributes, isValidElement, type ReactElement, type ReactNode } from 'react';
import type { Components } from 'react-markdown';
import { useTranslation } from '#web/lib/i18n.tsx';
import { CodeBlock } from './code-block.tsx';

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** How the elements of an answer are drawn; headings stand below the page's own h1 and h2. */
export const MARKDOWN_ELEMENTS: Components = {
  h1: ({ children }) => <h3 className="level-1">{children}</h3>,
  h2: ({ children }) => <h3 className="level-2">{children}</h3>,
  h3: ({ children }) => <h3 className="level-3">{children}</h3>,
  h4: ({ children }) => <h4 className="level-3">{children}</h4>,
  h5: ({ children }) => <h4 className="level-3">{children}</h4>,
  h6: ({ children }) => <h4 className="level-3">{children}</h4>,
  a: ({ node: _, ...link }) => <AnswerLink {...link} />,
  img: ({ src, alt }) => <RemoteImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  em: ({ children }) => <em className={HAN.test(textOf(children)) ? 'han' : undefined}>{children}</em>,
  pre: ({ children }) => <NestedCode>{children}</NestedCode>,
  table: ({ children }) => <ScrollingTable>{children}</ScrollingTable>,
  input: ({ checked }) => <TaskMark done={checked === true} />,
};

/** A link out of an answer: opens beside the conversation and tells the other side nothing; `#` ones stay inside. */
function AnswerLink({ href, children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  if (!href) return <span>{children}</span>;
  const outside = href.startsWith('#') ? {} : { target: '_blank', rel: 'noopener noreferrer nofollow ugc' };
  return (
    <a {...rest} {...outside} href={href}>
      {children}
    </a>
  );
}

/** Pictures from elsewhere are not loaded, because loading one tells its host what was said here. */
function RemoteImage({ src, alt }: { src: string; alt: string }) {
  const { t } = useTranslation('common');
  const label = alt === '' ? t('chat.image') : t('chat.imageNamed', { name: alt });
  return src === '' ? <span>{label}</span> : <AnswerLink href={src}>{label}</AnswerLink>;
}

/** Code inside a list or a quotation, which is not a block of its own. */
function NestedCode({ children }: { children: ReactNode }) {
  const code = isValidElement(children) ? (children as ReactElement<{ className?: string }>) : null;
  const language = /language-(\S+)/.exec(code?.props.className ?? '')?.[1] ?? '';
  return <CodeBlock language={language} code={textOf(children).replace(/\n$/, '')} />;
}

function ScrollingTable({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too.
    <div className="table" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

function TaskMark({ done }: { done: boolean }) {
  const { t } = useTranslation('common');
  const label = done ? t('chat.taskDone') : t('chat.taskOpen');
  return <input type="checkbox" checked={done} disabled aria-label={label} />;
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement(node) ? textOf((node as ReactElement<{ children?: ReactNode }>).props.children) : '';
}
