import { lazy, Suspense } from 'react';
import { PlainOnError } from './answer/plain-on-error.tsx';

const loadMarkdown = () => import('./answer/answer-markdown.tsx');

const AnswerMarkdown = lazy(async () => {
  const { AnswerMarkdown } = await loadMarkdown();
  return { default: AnswerMarkdown };
});

/** Fetches the Markdown renderer ahead of the first answer. */
export function preloadMarkdown(): void {
  loadMarkdown().catch(() => {});
}

/** Characters shown until the renderer is here, from the end, where the reader is: a book would take long to lay out. */
const MEANWHILE_MAX = 5_000;

interface AnswerTextProps {
  messageId: string;
  text: string;
  running: boolean;
}

/** An answer's text: as Markdown once the renderer is here, as it was written until then and wherever rendering fails. */
export function AnswerText(answer: AnswerTextProps) {
  return (
    <PlainOnError plain={<Plain text={answer.text} />}>
      <Suspense fallback={<Plain text={answer.text.slice(-MEANWHILE_MAX)} />}>
        <AnswerMarkdown {...answer} />
      </Suspense>
    </PlainOnError>
  );
}

function Plain({ text }: { text: string }) {
  return <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>;
}
