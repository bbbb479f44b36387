import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { speakable } from './sentences.ts';

/** Sentences that end within this time are said together. */
const PAUSE_MS = 1_000;
/** Long enough for a screen reader to take it; what is on screen is the answer itself. */
const KEPT_MS = 5_000;

interface SpokenAnswerProps {
  text: string;
  running: boolean;
}

/** Says an answer that is being written to those who do not see it: by sentences, not by the pieces in which it comes. */
export function SpokenAnswer({ text, running }: SpokenAnswerProps) {
  const [wasRunning, setWasRunning] = useState(running);
  if (running && !wasRunning) setWasRunning(true);
  return wasRunning ? <Speech text={text} running={running} /> : null;
}

function Speech({ text, running }: SpokenAnswerProps) {
  const said = useRef(0);
  const [sentences, setSentences] = useState('');
  const say = useEffectEvent(() => {
    const whole = speakable(text, !running);
    const next = whole.slice(said.current).trim();
    said.current = Math.max(said.current, whole.length);
    if (next !== '') setSentences(next);
  });
  useEffect(() => {
    if (running) {
      const timer = setInterval(say, PAUSE_MS);
      return () => clearInterval(timer);
    }
    say();
    const timer = setTimeout(() => setSentences(''), KEPT_MS);
    return () => clearTimeout(timer);
  }, [running]);
  return (
    <p aria-live="polite" data-spoken className="sr-only">
      {sentences}
    </p>
  );
}
