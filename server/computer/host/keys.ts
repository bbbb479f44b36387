import type { KeyInput } from 'puppeteer-core';

const NAMES: Record<string, KeyInput> = {
  control: 'Control',
  ctrl: 'Control',
  alt: 'Alt',
  option: 'Alt',
  shift: 'Shift',
  meta: 'Meta',
  cmd: 'Meta',
  command: 'Meta',
  super: 'Meta',
  win: 'Meta',
  enter: 'Enter',
  return: 'Enter',
  tab: 'Tab',
  escape: 'Escape',
  esc: 'Escape',
  backspace: 'Backspace',
  delete: 'Delete',
  del: 'Delete',
  insert: 'Insert',
  space: 'Space',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  arrowup: 'ArrowUp',
  arrowdown: 'ArrowDown',
  arrowleft: 'ArrowLeft',
  arrowright: 'ArrowRight',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  home: 'Home',
  end: 'End',
  capslock: 'CapsLock',
};
const FUNCTION_KEY = /^f([1-9]|1[0-2])$/;
const MODIFIER = /^(Control|Alt|Shift|Meta)$/;
/** Keys that move the cursor and write nothing. */
const MOVES = /^(Tab|Escape|Control|Alt|Shift|Meta|Arrow\w+|Page\w+|Home|End|CapsLock|F\d+)$/;
/** Keys that are commands of browsers: windows, tabs, source, tools, files. */
const OF_BROWSERS =
  /^(Control|Meta)\+(Shift\+)?[tnwoujshpTNWOUJSHP]$|^(Control|Meta)\+Shift\+[icIC]$|^F12$|^Alt\+F4$/;

/** A key by any of its usual names; null for an unknown name. */
export function keyOf(name: string): KeyInput | null {
  if ([...name].length === 1) return name as KeyInput;
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]/g, '');
  if (FUNCTION_KEY.test(plain)) return plain.toUpperCase() as KeyInput;
  return NAMES[plain] ?? (/^[a-z0-9]$/.test(plain) ? (plain as KeyInput) : null);
}

/** The keys of `Control+A` or of a list, in their order; null where one is unknown. */
export function keysOf(combination: string | readonly string[]): KeyInput[] | null {
  const names = typeof combination === 'string' ? splitCombination(combination) : combination;
  const keys = names.map(keyOf);
  if (keys.length === 0 || keys.length > 5) return null;
  return keys.every((key) => key !== null) ? keys : null;
}

function splitCombination(text: string): string[] {
  if (text === '+') return ['+'];
  const parts = text.split('+').map((part) => part.trim());
  return text.endsWith('++') ? [...parts.filter((part) => part !== ''), '+'] : parts;
}

/** Whether all keys but the last are modifiers. Another key that is held acts by itself: Tab leads to another field. */
export function isCombination(keys: readonly KeyInput[]): boolean {
  return keys.slice(0, -1).every((key) => MODIFIER.test(key));
}

/** Whether the keys are a command to the browser itself, which a run has no use for. */
export function isOfBrowser(keys: readonly KeyInput[]): boolean {
  return OF_BROWSERS.test(keys.join('+'));
}

/** Whether the keys delete the last character that was typed. */
export function canErase(keys: readonly KeyInput[]): boolean {
  return keys.at(-1) === 'Backspace';
}

/** Whether the keys can write into the focused field. */
export function canWrite(keys: readonly KeyInput[]): boolean {
  return keys.some((key) => !MOVES.test(key));
}
