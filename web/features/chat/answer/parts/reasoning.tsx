import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Fold } from '#web/ui/text/fold.tsx';

const SECOND_MS = 1_000;

interface ReasoningProps {
  text: string;
  /** When it began to think, in epoch milliseconds, while it does; null: it is over. */
  since: number | null;
  /** Milliseconds that it thought; null while not known. */
  took: number | null;
}

/** What the model let be seen of its thinking: in sight while it thinks, folded from the first word of the answer on. */
export function Reasoning({ text, since, took }: ReasoningProps) {
  const box = useRef<HTMLDivElement>(null);
  const isLive = since !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest thought is what is read.
  useLayoutEffect(() => {
    if (isLive && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [isLive, text]);
  return (
    <Fold
      label={isLive ? <Thinking since={since} /> : <Thought took={took} />}
      open={isLive}
      className="my-2 text-sm"
    >
      <div
        ref={box}
        dir="auto"
        tabIndex={isLive ? 0 : undefined}
        className={`mb-3 ml-2 whitespace-pre-wrap border-line border-l-2 pl-4 text-soft wrap-anywhere ${isLive ? 'max-h-48 overflow-y-auto' : ''}`}
      >
        {text.replaceAll('**', '').trim()}
      </div>
    </Fold>
  );
}

/** Counts the seconds for the eye alone: a screen reader says that it thinks, once. */
function Thinking({ since }: { since: number }) {
  const { t } = useTranslation('common');
  const [seconds, setSeconds] = useState(() => secondsSince(since));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsSince(since)), SECOND_MS);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <>
      <span className="sr-only">{t('answer.thinking')}</span>
      <span aria-hidden>{seconds < 1 ? t('answer.thinking') : t('answer.thinkingFor', { seconds })}</span>
    </>
  );
}

function Thought({ took }: { took: number | null }) {
  const { t } = useTranslation('common');
  const seconds = took === null ? 0 : Math.round(took / SECOND_MS);
  return seconds === 0 ? t('answer.reasoning') : t('answer.thoughtFor', { seconds });
}

function secondsSince(since: number): number {
  return Math.max(0, Math.floor((Date.now() - since) / SECOND_MS));
}
