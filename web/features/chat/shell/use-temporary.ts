import { useState } from 'react';

export interface Temporary {
  /** The conversation on screen is kept out of list and search and removed by itself. */
  on: boolean;
  /** Changes that; null once the first message is sent. */
  toggle: (() => void) | null;
}

/** Whether the conversation on screen is temporary: chosen before its first message, and for that one only. */
export function useTemporary(id: string, isNew: boolean): Temporary {
  const [chosen, setChosen] = useState<string | null>(null);
  const on = chosen === id;
  return { on, toggle: isNew ? () => setChosen(on ? null : id) : null };
}
