const SHOWN_MS = 10_000;
const SHOWN_AT_ONCE = 3;

export interface Toast {
  id: number;
  kind: 'alert' | 'notice';
  text: string;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** Says at once that something went wrong, in a toast with `role="alert"`. The same text is not shown twice. */
export function showAlert(text: string): void {
  add('alert', text);
}

/** Tells quietly that something was done. */
export function showNotice(text: string): void {
  add('notice', text);
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/** The toasts on screen, oldest first; the array is another one after each change. */
export function currentToasts(): readonly Toast[] {
  return toasts;
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function add(kind: Toast['kind'], text: string): void {
  const toast: Toast = { id: nextId, kind, text };
  nextId += 1;
  change([...toasts.filter((shown) => shown.text !== text), toast].slice(-SHOWN_AT_ONCE));
  setTimeout(() => dismissToast(toast.id), SHOWN_MS);
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
