import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react';
import { useHydrated } from '#web/lib/use-hydrated.ts';

interface Turn {
  /** Who is at work; null: no one. */
  holder: string | null;
  change: (next: (holder: string | null) => string | null) => void;
}

const TurnContext = createContext<Turn>({ holder: null, change: () => {} });

/** Around the ways in of a page: while one of them is at work, the buttons of the others rest. */
export function OneAtATime({ children }: { children: ReactNode }) {
  const [holder, change] = useState<string | null>(null);
  return <TurnContext value={{ holder, change }}>{children}</TurnContext>;
}

/** Says that one way in is at work; returns whether another one is, or the page cannot be worked yet. */
export function useIsResting(busy: boolean): boolean {
  const id = useId();
  const hydrated = useHydrated();
  const { holder, change } = useContext(TurnContext);
  useEffect(() => {
    if (!busy) return;
    change(() => id);
    return () => change((now) => (now === id ? null : now));
  }, [busy, change, id]);
  return !hydrated || (holder !== null && holder !== id);
}
