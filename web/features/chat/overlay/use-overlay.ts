import { useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

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
  const { pathname, search, hash, state, key } = useLocation();
  const { overlay, openedIn } = (state ?? {}) as OverlayState;
  const shown = openedIn === documentStart() ? overlay : undefined;
  const closed = useRef<string | null>(null);
  return {
    open: shown === name,
    show() {
      void navigate(
        { pathname, search, hash },
        { replace: shown !== undefined, state: { ...state, overlay: name, openedIn: documentStart() } },
      );
    },
    close() {
      if (shown !== name || closed.current === key) return;
      closed.current = key;
      void navigate(-1);
    },
  };
}

function documentStart(): number {
  return performance.timeOrigin;
}
