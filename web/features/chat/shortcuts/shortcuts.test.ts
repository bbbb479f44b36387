import { afterEach, expect, test, vi } from 'vitest';
import { type Pressed, shortcutOf } from './shortcuts.ts';

const PLAIN: Pressed = {
  key: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  isComposing: false,
};
const OUTSIDE = { inField: false, singleKeys: true };

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['Ctrl+K searches', { key: 'k', ctrlKey: true }, 'search'],
  ['Command+K does too', { key: 'k', metaKey: true }, 'search'],
  ['Ctrl+Shift+O begins anew', { key: 'O', ctrlKey: true, shiftKey: true }, 'new'],
  ['Ctrl+O is the browser’s', { key: 'o', ctrlKey: true }, null],
  ['Shift+Escape goes to the composer', { key: 'Escape', shiftKey: true }, 'composer'],
  ['Escape alone does not', { key: 'Escape' }, null],
  ['a question mark asks for help, whatever makes it', { key: '?', shiftKey: true }, 'help'],
  ['a letter alone means nothing', { key: 'k' }, null],
  ['what an input method is given means nothing', { key: 'k', ctrlKey: true, isComposing: true }, null],
  ['with Alt a key writes a sign', { key: '[', altKey: true }, null],
] as const)('%s', (_, pressed, expected) => {
  expect(shortcutOf({ ...PLAIN, ...pressed }, OUTSIDE)).toBe(expected);
});

test('on a Mac Command counts, and Ctrl edits text', () => {
  vi.stubGlobal('navigator', { platform: 'MacIntel' });
  const inField = { inField: true, singleKeys: true };
  expect(shortcutOf({ ...PLAIN, key: 'k', metaKey: true }, inField)).toBe('search');
  expect(shortcutOf({ ...PLAIN, key: 'k', ctrlKey: true }, inField)).toBeNull();
  expect(shortcutOf({ ...PLAIN, key: 'O', ctrlKey: true, shiftKey: true }, inField)).toBeNull();
});

test('in a field single keys write and the others work', () => {
  const inField = { inField: true, singleKeys: true };
  expect(shortcutOf({ ...PLAIN, key: '?' }, inField)).toBeNull();
  expect(shortcutOf({ ...PLAIN, key: 'k', ctrlKey: true }, inField)).toBe('search');
});

test('single keys that are switched off do nothing', () => {
  const off = { inField: false, singleKeys: false };
  expect(shortcutOf({ ...PLAIN, key: '?' }, off)).toBeNull();
  expect(shortcutOf({ ...PLAIN, key: 'k', ctrlKey: true }, off)).toBe('search');
});
