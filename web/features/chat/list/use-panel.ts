import { useCallback, useState, useSyncExternalStore } from 'react';
import { useOverlay } from '../overlay/use-overlay.ts';
import { isWide, subscribeWide } from './is-wide.ts';

const KEY = 'chat.panel';

export interface Panel {
  open: boolean;
  /** The panel stands beside the conversation instead of over it, as a drawer. */
  wide: boolean;
  /** It shows the archive in the place of the list. */
  archived: boolean;
  toggle(): void;
  close(): void;
  showArchive(archived: boolean): void;
}

/** Whether the list of conversations is open: as it was left where there is room, closed at first on a narrow screen. */
export function usePanel(): Panel {
  const wide = useSyncExternalStore(subscribeWide, isWide, () => true);
  const [kept, setKept] = useState(readOpen);
  const [archived, setArchived] = useState(false);
  const drawer = useOverlay('list');
  const keep = useCallback((value: boolean) => {
    setKept(value);
    keepOpen(value);
  }, []);
  const open = wide ? kept : drawer.open;
  const show = wide ? () => keep(true) : drawer.show;
  const close = wide ? () => keep(false) : drawer.close;
  return {
    open,
    wide,
    archived,
    toggle: open ? close : show,
    close,
    showArchive(value) {
      setArchived(value);
      if (value && !open) show();
    },
  };
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
