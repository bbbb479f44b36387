import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react';

interface Turn {
  /** Who is at work; null while nobody is. */
  holder: string | null;
  change: (next: (holder: string | null) => string | null) => void;
}

const TurnContext = createContext<Turn>({ holder: null, change: () => {} });

/** Around the ways in of a page: while one of them is at work, the buttons of the others rest. */
export function OneAtATime({ children }: { children: ReactNode }) {
  const [holder, change] = useState<string | null>(null);
  return <TurnContext value={{ holder, change }}>{children}</TurnContext>;
}

/** Says that one way in is at work; gives back whether another one is. */
export function useIsResting(busy: boolean): boolean {
  const id = useId();
  const { holder, change } = useContext(TurnContext);
  useEffect(() => {
    if (!busy) return;
    change(() => id);
    return () => change((now) => (now === id ? null : now));
  }, [busy, change, id]);
  return holder !== null && holder !== id;
}
