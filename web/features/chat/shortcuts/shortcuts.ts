export type Shortcut = 'search' | 'new' | 'list' | 'composer' | 'older' | 'newer' | 'help';

interface Keys {
  shortcut: Shortcut;
  key: string;
  /** With Ctrl, on a Mac with Command. */
  command?: boolean;
  shift?: boolean;
}

/** What the keys do. Those without Ctrl are single keys: they work outside of fields, and can be switched off. */
export const SHORTCUTS: readonly Keys[] = [
  { shortcut: 'search', key: 'k', command: true },
  { shortcut: 'new', key: 'o', command: true, shift: true },
  { shortcut: 'list', key: 's', command: true, shift: true },
  { shortcut: 'composer', key: 'Escape', shift: true },
  { shortcut: 'composer', key: '/' },
  { shortcut: 'older', key: '[' },
  { shortcut: 'newer', key: ']' },
  { shortcut: 'help', key: '?' },
];

/** What the keys of a shortcut are called on this device. */
export function labelsOf({ key, command, shift }: Keys): string[] {
  const last = key === 'Escape' ? 'Esc' : key.toUpperCase();
  return [...(command ? [commandKey()] : []), ...(shift ? ['Shift'] : []), last];
}

function commandKey(): string {
  return isMac() ? '⌘' : 'Ctrl';
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}

/** The same of the first keys that mean something. */
export function keysOf(shortcut: Shortcut): string[] {
  const keys = SHORTCUTS.find((one) => one.shortcut === shortcut);
  return keys ? labelsOf(keys) : [];
}

/** What the rule reads of a `KeyboardEvent`. */
export interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  isComposing: boolean;
}

/**
 * The shortcut that a key press means; `inField` is one in a text field, `singleKeys` says whether single keys are on. On a Mac only
 * Command counts: Ctrl and a letter edit text there, Ctrl+K deletes to the end of the line.
 */
export function shortcutOf(
  pressed: Pressed,
  { inField, singleKeys }: { inField: boolean; singleKeys: boolean },
): Shortcut | null {
  if (pressed.isComposing || pressed.altKey) return null;
  if (isMac() && pressed.ctrlKey) return null;
  const command = pressed.ctrlKey || pressed.metaKey;
  const found = SHORTCUTS.find((one) => {
    if (one.key !== (one.command ? pressed.key.toLowerCase() : pressed.key)) return false;
    if (isSingle(one)) return !command && !inField && singleKeys;
    return command === (one.command ?? false) && pressed.shiftKey === (one.shift ?? false);
  });
  return found?.shortcut ?? null;
}

/** Whether it is typed without Ctrl, Command or Shift held as a part of it. */
function isSingle({ command = false, shift = false }: Keys): boolean {
  return !command && !shift;
}

const KEY = 'chat.single-keys';

/** Whether shortcuts of a single key are on, on this device; they are until the user switches them off. */
export function readSingleKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export function keepSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // Storage is forbidden: they stay on.
  }
}
