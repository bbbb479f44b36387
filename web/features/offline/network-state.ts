import { useSyncExternalStore } from 'react';

/** `isOffline`: the server cannot be reached. `isCopyShown`: what is on screen came from this device since it was reached last. */
let isOffline = false;
let isCopyShown = false;
const listeners = new Set<() => void>();

/** Something on screen is a copy that this device kept. */
export function noteCopyShown(): void {
  change(isOffline, true);
}

/** The server has answered; returns whether what is on screen may be an older copy. */
export function noteReached(): boolean {
  const wasCopyShown = isCopyShown;
  change(false, false);
  return wasCopyShown;
}

/** Whether there is no network, or the server was not reached for what is on screen. */
export function useOffline(): boolean {
  return useSyncExternalStore(subscribe, isAway, () => false);
}

function isAway(): boolean {
  return isOffline || isCopyShown;
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('offline', look);
    window.addEventListener('online', look);
    look();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('offline', look);
    window.removeEventListener('online', look);
  };
}

/**
 * The browser says it has no network and the server cannot be reached either: a machine that reaches only itself has no
 * network and may still run the product.
 */
function look(): void {
  if (navigator.onLine) change(false, isCopyShown);
  else fetch('/healthz', { method: 'HEAD' }).catch(() => change(!navigator.onLine, isCopyShown));
}

function change(offline: boolean, copyShown: boolean): void {
  if (offline === isOffline && copyShown === isCopyShown) return;
  isOffline = offline;
  isCopyShown = copyShown;
  for (const listener of listeners) listener();
}
