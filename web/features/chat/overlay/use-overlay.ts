import { useRef } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router';

export interface Overlay {
  open: boolean;
  /** Opens it, in the place of another one that is open. */
  show(): void;
  close(): void;
}

interface OverlayState {
  overlay?: string;
  /** The document that opened it: what is loaded anew begins closed. */
  openedIn?: number;
}

/**
 * Something over the page that the browser's way back closes too: while it is open it is an entry of the history. A link in it
 * replaces that entry, and so closes it.
 */
export function useOverlay(name: string): Overlay {
  const navigate = useNavigate();
  const location = useLocation();
  // The page may have moved on since a caller was drawn: the palette does what was chosen in it once it is closed.
  const latest = useRef(location);
  latest.current = location;
  const closed = useRef<string | null>(null);
  // The browser's way forward leads to the same entry once more.
  if (closed.current !== location.key) closed.current = null;
  return {
    open: shownAt(location) === name,
    show() {
      const { pathname, search, hash, state } = latest.current;
      void navigate(
        { pathname, search, hash },
        {
          replace: shownAt(latest.current) !== undefined,
          state: { ...state, overlay: name, openedIn: documentStart() },
        },
      );
    },
    close() {
      const { key } = latest.current;
      if (shownAt(latest.current) !== name || closed.current === key) return;
      closed.current = key;
      void navigate(-1);
    },
  };
}

/** Whether an overlay is open. Its entry of the history is not to be replaced by another page: it would go with it. */
export function useHasOverlay(): boolean {
  return shownAt(useLocation()) !== undefined;
}

/** The name of the overlay that is open at an entry of the history; undefined where none is. */
function shownAt({ state }: Location): string | undefined {
  const { overlay, openedIn } = (state ?? {}) as OverlayState;
  return openedIn === documentStart() ? overlay : undefined;
}

function documentStart(): number {
  return performance.timeOrigin;
}
