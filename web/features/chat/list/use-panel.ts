import { useCallback, useState, useSyncExternalStore } from 'react';

const KEY = 'chat.panel';
/** From here on there is room beside the conversation: `--breakpoint-nav` of the tokens. */
const WIDE = '(min-width: 60rem)';

export interface Panel {
  open: boolean;
  /** The panel stands beside the conversation instead of over it. */
  wide: boolean;
  toggle(): void;
  close(): void;
}

/** Whether the list of conversations is open: as it was left where there is room, closed at first on a narrow screen. */
export function usePanel(): Panel {
  const wide = useSyncExternalStore(subscribe, isWide, () => true);
  const [kept, setKept] = useState(readOpen);
  const [over, setOver] = useState(false);
  const open = wide ? kept : over;
  const change = useCallback(
    (value: boolean) => {
      if (!wide) return setOver(value);
      setKept(value);
      keepOpen(value);
    },
    [wide],
  );
  const toggle = useCallback(() => change(!open), [change, open]);
  const close = useCallback(() => change(false), [change]);
  return { open, wide, toggle, close };
}

function isWide(): boolean {
  return matchMedia(WIDE).matches;
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

function readOpen(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'closed';
  } catch {
    return true;
  }
}

function keepOpen(open: boolean): void {
  try {
    localStorage.setItem(KEY, open ? 'open' : 'closed');
  } catch {
    // Storage is forbidden: the choice lives as long as the page.
  }
}
