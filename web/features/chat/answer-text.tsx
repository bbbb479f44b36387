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

interface AnswerTextProps {
  messageId: string;
  text: string;
  running: boolean;
}

/** An answer's text: as Markdown once the renderer is here, as it was written until then and wherever rendering fails. */
export function AnswerText(answer: AnswerTextProps) {
  const plain = <p className="whitespace-pre-wrap wrap-anywhere">{answer.text}</p>;
  return (
    <PlainOnError plain={plain}>
      <Suspense fallback={plain}>
        <AnswerMarkdown {...answer} />
      </Suspense>
    </PlainOnError>
  );
}
