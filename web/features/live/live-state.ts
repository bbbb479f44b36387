import type { QueryClient } from '@tanstack/react-query';
import { readAgain } from '#web/lib/read-again.ts';

/** `never`: not opened yet in this page. */
type LiveState = 'never' | 'open' | 'lost';

let state: LiveState = 'never';
const listeners = new Set<() => void>();

/** The live channel says whether it stands. */
export function setLive(open: boolean): void {
  if (state === 'never' && !open) return;
  change(open ? 'open' : 'lost');
}

/** The user is signed out, so nothing is missed. */
export function endLive(): void {
  change('never');
}

/** Whether the live channel was open and is lost. For `useSyncExternalStore`, as is `subscribeLive`. */
export function isLiveLost(): boolean {
  return state === 'lost';
}

export function subscribeLive(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reads again what the live channel would have sent, while it is lost. */
export function refreshUnlessLive(client: QueryClient): void {
  if (state === 'open') return;
  void readAgain(client, ['me']);
  void readAgain(client, ['conversations']);
  void readAgain(client, ['running']);
}

function change(next: LiveState): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}
