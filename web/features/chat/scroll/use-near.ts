import { createContext, type RefObject, useContext, useEffect, useState } from 'react';
import type { NearTurns } from './near-turns.ts';

/** The watch of the list that a turn is in; null until the list is on screen. */
export const NearContext = createContext<NearTurns | null>(null);

/** Is a turn near the window, and how high was it when it last was; `height` is null where it was never drawn. */
export function useNear(
  turn: RefObject<HTMLElement | null>,
  initially: boolean,
): { near: boolean; height: number | null } {
  const turns = useContext(NearContext);
  const [state, setState] = useState<{ near: boolean; height: number | null }>({
    near: initially,
    height: null,
  });
  useEffect(() => {
    if (!turns || !turn.current) return;
    return turns.watch(turn.current, (near, height) =>
      setState((before) => {
        if (before.near === near) return before;
        return { near, height: before.near ? height : before.height };
      }),
    );
  }, [turns, turn]);
  return state;
}
