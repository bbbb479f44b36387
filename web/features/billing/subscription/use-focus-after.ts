import { useEffect, useRef, useState } from 'react';

/** Gives the focus to `ref` once something was `done` with a button and the button is gone or closed for it (`isOver`). */
export function useFocusAfter<T extends HTMLElement>(isOver: boolean) {
  const ref = useRef<T>(null);
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone || !isOver) return;
    ref.current?.focus();
    setDone(false);
  }, [isDone, isOver]);
  return { ref, done: () => setDone(true) };
}
