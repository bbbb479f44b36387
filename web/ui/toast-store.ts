const SHOWN_MS = 10_000;
const SHOWN_AT_ONCE = 3;

export interface Toast {
  id: number;
  kind: 'alert' | 'notice';
  text: string;
  action: ToastAction | null;
}

/** One thing that can be done about what a toast says, such as undoing it. */
export interface ToastAction {
  label: string;
  run(): void;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

/** Says at once that something went wrong, in a toast with `role="alert"`. The same text is not shown twice. */
export function showAlert(text: string): void {
  add('alert', text, null);
}

/** Says quietly that something was done, and offers `action`. */
export function showNotice(text: string, action: ToastAction | null = null): void {
  add('notice', text, action);
}

/** Leaves a toast on screen, as while it is pointed at or has the focus, until `releaseToast`. */
export function holdToast(id: number): void {
  clearTimeout(timers.get(id));
}

/** Lets a toast go after its time, counted from now. */
export function releaseToast(id: number): void {
  holdToast(id);
  timers.set(
    id,
    setTimeout(() => dismissToast(id), SHOWN_MS),
  );
}

export function dismissToast(id: number): void {
  holdToast(id);
  timers.delete(id);
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

function add(kind: Toast['kind'], text: string, action: ToastAction | null): void {
  const toast: Toast = { id: nextId, kind, text, action };
  nextId += 1;
  change([...toasts.filter((shown) => shown.text !== text), toast].slice(-SHOWN_AT_ONCE));
  releaseToast(toast.id);
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
