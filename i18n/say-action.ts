import type { StepPart } from '#contract/message/parts.ts';
import type { TextParams } from './text-of.ts';
import type texts from './zh/common.json';

type ActionKey = `computer.action.${keyof (typeof texts)['computer']['action']}`;
type Say = (key: ActionKey, params?: TextParams) => string;

const NAMES: Readonly<Record<string, ActionKey>> = {
  open_web_browser: 'computer.action.open',
  search: 'computer.action.search',
  click: 'computer.action.click',
  click_at: 'computer.action.click',
  double_click: 'computer.action.double',
  triple_click: 'computer.action.triple',
  middle_click: 'computer.action.middle',
  right_click: 'computer.action.right',
  move: 'computer.action.move',
  hover_at: 'computer.action.move',
  mouse_down: 'computer.action.press',
  mouse_up: 'computer.action.release',
  wait: 'computer.action.wait',
  wait_5_seconds: 'computer.action.wait',
  drag_and_drop: 'computer.action.drag',
  go_back: 'computer.action.back',
  go_forward: 'computer.action.forward',
  take_screenshot: 'computer.action.look',
};

const KEYS: Readonly<Record<string, ActionKey>> = {
  key_combination: 'computer.action.keys',
  hotkey: 'computer.action.keys',
  press_key: 'computer.action.keys',
  key_down: 'computer.action.hold',
  key_up: 'computer.action.letGo',
};

const KEY_NAMES: Readonly<Record<string, string>> = {
  control: 'Ctrl',
  escape: 'Esc',
  return: 'Enter',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  pageup: 'Page Up',
  pagedown: 'Page Down',
};

const DIRECTIONS: Readonly<Record<string, ActionKey>> = {
  up: 'computer.action.up',
  down: 'computer.action.down',
  left: 'computer.action.left',
  right: 'computer.action.right_',
};

/** Longest text that is repeated in the list of steps. */
const SHOWN = 40;

/** An action in words: what it is, not why. */
export function sayAction(t: Say, { action, args }: Pick<StepPart, 'action' | 'args'>): string {
  const given = readArgs(args);
  const name = NAMES[action];
  if (name) return t(name);
  if (action === 'navigate') return t('computer.action.navigate', { what: shortAddress(textOf(given.url)) });
  if (action === 'type' || action === 'type_text_at') {
    const what = textOf(given.text);
    return what === '' ? t('computer.action.typeHidden') : t('computer.action.type', { what: shorten(what) });
  }
  if (action.startsWith('scroll')) return t(DIRECTIONS[textOf(given.direction)] ?? 'computer.action.down');
  const keys = Array.isArray(given.keys) ? given.keys.join('+') : textOf(given.keys ?? given.key);
  const key = KEYS[action];
  return key && keys !== '' ? t(key, { what: sayKeys(keys) }) : t('computer.action.other');
}

/** Keys as they stand on a keyboard. */
function sayKeys(keys: string): string {
  const names = keys.split(/\s*\+\s*/).map((name) => {
    const own = KEY_NAMES[name.toLowerCase()];
    return own ?? (name.length === 1 ? name.toUpperCase() : name);
  });
  return shorten(names.join(' + '));
}

/** An address as a reader takes it in: host and path. */
export function shortAddress(address: string): string {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return shorten(address);
  return shorten(`${url.host}${url.pathname === '/' ? '' : safeDecode(url.pathname)}`, 80);
}

function safeDecode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function shorten(text: string, length = SHOWN): string {
  const characters = [...text.replace(/\p{Cc}|\p{Bidi_Control}/gu, ' ')];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : characters.join('');
}

function readArgs(args: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
