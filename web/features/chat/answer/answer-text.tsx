import type { ReactNode } from 'react';
import type { SourcesPart } from '#contract/message/parts.ts';
import { useModule } from '#web/lib/use-module.ts';
import { classNames } from '#web/ui/class-names.ts';
import { latinClass } from '#web/ui/text/latin-class.ts';
import { loadMarkdown } from './load-markdown.ts';
import { PlainOnError } from './plain-on-error.tsx';

/** Characters shown until the renderer is here, from the end, where the reader is: a book would take long to lay out. */
const MAX_MEANWHILE = 5_000;

const PLAIN = { AnswerMarkdown: Plain };

interface AnswerTextProps {
  messageId: string;
  text: string;
  /** The place of its first character in the answer, in UTF-16 code units. */
  start: number;
  /** What it rests on; null while that is not known. */
  sources: SourcesPart | null;
  running: boolean;
  /** Its end is in sight, or was when it was written. */
  watched: boolean;
}

interface RendererModule {
  AnswerMarkdown: (answer: AnswerTextProps) => ReactNode;
}

/** An answer's text: as Markdown once the renderer is here, as it was written until then and wherever rendering fails. */
export function AnswerText(answer: AnswerTextProps) {
  const renderer = useModule<RendererModule>(true, loadMarkdown, PLAIN);
  if (!renderer) return <Plain text={answer.text.slice(-MAX_MEANWHILE)} />;
  return (
    <PlainOnError plain={<Plain text={answer.text} />}>
      <renderer.AnswerMarkdown {...answer} />
    </PlainOnError>
  );
}

function Plain({ text }: { text: string }) {
  return <p className={classNames('whitespace-pre-wrap wrap-anywhere', latinClass(text))}>{text}</p>;
}
