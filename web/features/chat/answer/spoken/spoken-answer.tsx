import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { readAloud, sentencesEnd } from './sentences.ts';

/** A screen reader gets what has been finished once in so long: a queue of single sentences would fall behind. */
const PACE_MS = 1_500;
/** Of what comes at once, such as after a reload, only the end is read. */
const MAX_SPOKEN = 600;

/** What was read goes when the answer has ended: it stands above once more. */
const WORDS_KEPT_MS = 5_000;

interface SpokenAnswerProps {
  text: string;
  running: boolean;
}

interface Spoken {
  /** So much of the text was read. */
  to: number;
  words: string;
}

/** Reads an answer that is being written to those who do not see it, by whole sentences. Nothing for one that had ended before. */
export function SpokenAnswer({ text, running }: SpokenAnswerProps) {
  const { t } = useTranslation('common');
  const [wasRunning] = useState(running);
  const [spoken, setSpoken] = useState<Spoken>({ to: 0, words: '' });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const speak = useEffectEvent((isLast: boolean) => {
    const to = isLast ? text.length : sentencesEnd(text, spoken.to);
    if (to <= spoken.to) return;
    const words = readAloud(text.slice(Math.max(spoken.to, to - MAX_SPOKEN), to), t('chat.code'));
    setSpoken({ to, words });
  });
  useEffect(() => {
    if (!wasRunning || !running || text === '' || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      speak(false);
    }, PACE_MS);
  }, [wasRunning, running, text]);
  useEffect(() => {
    if (wasRunning && !running) speak(true);
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [wasRunning, running]);
  useEffect(() => {
    if (running || spoken.words === '') return;
    const end = setTimeout(() => setSpoken((last) => ({ ...last, words: '' })), WORDS_KEPT_MS);
    return () => clearTimeout(end);
  }, [running, spoken]);
  if (!wasRunning) return null;
  return (
    <div role="log" aria-live="polite" className="sr-only">
      <p key={spoken.to}>{spoken.words}</p>
    </div>
  );
}
