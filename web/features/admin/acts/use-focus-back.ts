import { useEffect, useState } from 'react';

/** Gives the focus back to what had it, or to the screen where that is gone. */
export function useFocusBack() {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      (isThere ? opener : document.getElementById('main'))?.focus();
    },
    [opener],
  );
}
