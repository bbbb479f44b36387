import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ComputerInput } from '#contract/message/computer.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, find, openPage, type as typeInto } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { DrivenPicture } from './driven-picture.tsx';

const DICTIONARY = { zh, en } as const;
/** Where the picture lies in the window, in pixels: half as wide as the page is. */
const BOX = { x: 100, y: 50, width: 720, height: 450 };

let field: HTMLTextAreaElement;
let sent: ComputerInput[];
let left: number;

beforeEach(() => {
  sent = [];
  left = 0;
  openPage('http://localhost');
});
afterEach(closePage);

async function open({
  language = 'zh',
  isTyping = false,
}: {
  language?: 'zh' | 'en';
  isTyping?: boolean;
} = {}) {
  draw(
    <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
      <DrivenPicture
        onInput={(input) => sent.push(input)}
        onLeave={() => {
          left += 1;
        }}
        isTyping={isTyping}
      />
    </TranslationProvider>,
  );
  field = await find<HTMLTextAreaElement>('textarea');
  field.getBoundingClientRect = () => new DOMRect(BOX.x, BOX.y, BOX.width, BOX.height);
}

interface Pointing {
  by?: 'mouse' | 'touch' | 'pen';
  /** Whether the finger, the pen or the button is down. */
  isDown?: boolean;
  /** Which click of several in a row. */
  count?: number;
  /** The second finger. */
  isSecond?: boolean;
}

/** Points at a place of the picture, in pixels from its corner. */
function point(
  event: string,
  x: number,
  y: number,
  { by = 'touch', isDown = true, count = 0, isSecond = false }: Pointing = {},
) {
  const place = { clientX: BOX.x + x, clientY: BOX.y + y, buttons: isDown ? 1 : 0, detail: count };
  const pointer = { pointerType: by, isPrimary: !isSecond };
  field.dispatchEvent(new PointerEvent(event, { ...place, ...pointer, bubbles: true, cancelable: true }));
}

function tap(x: number, y: number, options: Pointing = {}) {
  point('pointerdown', x, y, options);
  point('pointerup', x, y, { ...options, isDown: false });
  point('click', x, y, { count: 1, ...options, isDown: false });
}

/** A finger that goes down, along the points, and up; a browser clicks after a pen, not after a finger. */
function drag(points: readonly (readonly [x: number, y: number])[], options: Pointing = {}) {
  const [[x, y] = [0, 0], ...others] = points;
  point('pointerdown', x, y, options);
  for (const [toX, toY] of others) point('pointermove', toX, toY, options);
  const [lastX, lastY] = points.at(-1) ?? [x, y];
  point('pointerup', lastX, lastY, { ...options, isDown: false });
  if (options.by === 'pen') point('click', lastX, lastY, { ...options, isDown: false, count: 1 });
}

/** Presses a key; whether the window would do with it what it does by itself. */
function press(key: string, held: KeyboardEventInit = {}): boolean {
  return field.dispatchEvent(new KeyboardEvent('keydown', { key, ...held, bubbles: true, cancelable: true }));
}

describe('a pointer', () => {
  beforeEach(() => open());

  test('that taps clicks there, on the grid of the page, also where the finger shook', () => {
    point('pointerdown', 360, 225);
    point('pointermove', 363, 222);
    point('pointerup', 363, 222, { isDown: false });
    point('click', 360, 225, { isDown: false, count: 1 });
    expect(sent).toEqual([{ kind: 'click', x: 500, y: 500 }]);
  });

  test('that taps twice at once is a double click', () => {
    tap(72, 45);
    tap(72, 45, { count: 2 });
    expect(sent).toEqual([
      { kind: 'click', x: 100, y: 100 },
      { kind: 'double_click', x: 100, y: 100 },
    ]);
  });

  test('beside another one does nothing on the page: two fingers make the picture larger', () => {
    point('pointerdown', 300, 200);
    point('pointerdown', 420, 250, { isSecond: true });
    point('pointermove', 200, 120);
    point('pointermove', 520, 330, { isSecond: true });
    point('pointercancel', 200, 120);
    point('pointercancel', 520, 330, { isSecond: true });
    expect(sent).toEqual([]);
    tap(72, 45);
    expect(sent).toEqual([{ kind: 'click', x: 100, y: 100 }]);
  });

  test('that is outside of the picture is at its edge', () => {
    tap(-30, 900);
    expect(sent).toEqual([{ kind: 'click', x: 0, y: 999 }]);
  });

  test.each(['touch', 'pen'] as const)('of the kind %s that is dragged scrolls, and clicks nothing', (by) => {
    drag(
      [
        [360, 400],
        [360, 396],
        [360, 310],
        [288, 310],
      ],
      { by },
    );
    // What was under the finger stays there: a share of the picture is the same share of the page.
    expect(sent).toEqual([
      { kind: 'scroll', x: 500, y: 688, dx: 0, dy: 200 },
      { kind: 'scroll', x: 400, y: 688, dx: 100, dy: 0 },
    ]);
  });

  test('that is a mouse moves and clicks also after a finger scrolled', () => {
    drag([
      [360, 400],
      [360, 310],
    ]);
    sent.length = 0;
    point('pointermove', 360, 90, { by: 'mouse', isDown: false });
    tap(360, 90, { by: 'mouse' });
    expect(sent).toEqual([
      { kind: 'move', x: 500, y: 200 },
      { kind: 'click', x: 500, y: 200 },
    ]);
  });

  test('that was taken away by the system does nothing', () => {
    point('pointerdown', 360, 400);
    point('pointercancel', 360, 400);
    point('pointermove', 360, 100);
    expect(sent).toEqual([]);
  });

  test('whose wheel is turned scrolls the page and not the conversation', () => {
    const turned = new WheelEvent('wheel', { deltaX: 0, deltaY: 90, bubbles: true, cancelable: true });
    field.dispatchEvent(Object.assign(turned, { clientX: BOX.x + 360, clientY: BOX.y + 225 }));
    expect(sent).toEqual([{ kind: 'scroll', x: 500, y: 500, dx: 0, dy: 200 }]);
    expect(turned.defaultPrevented).toBe(true);
  });
});

test('what a finger or a wheel does on the picture is not told to what is around it', async () => {
  await open();
  const told: string[] = [];
  const tell = ({ type }: Event) => told.push(type);
  for (const type of ['touchmove', 'wheel']) {
    document.addEventListener(type, tell);
    field.dispatchEvent(new Event(type, { bubbles: true }));
    document.removeEventListener(type, tell);
  }
  expect(told).toEqual([]);
});

describe('a text', () => {
  beforeEach(() => open());

  test('that an input method composes is typed once, when it is whole', () => {
    field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    for (const written of ['n', 'ni h', '你好']) {
      press('Process', { isComposing: true });
      field.value = written;
      field.dispatchEvent(new InputEvent('input', { isComposing: true, bubbles: true }));
    }
    press('Enter', { isComposing: true });
    expect(sent).toEqual([]);
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    // Safari delivers the Enter that ended it only now.
    press('Enter', { keyCode: 229 });
    expect(sent).toEqual([{ kind: 'type', text: '你好' }]);
    expect(field.value).toBe('');
  });

  test('that is typed or pasted goes as it comes, and stays nowhere', () => {
    expect(press('t')).toBe(true);
    typeInto(field, 't');
    expect(press('v', { ctrlKey: true })).toBe(true);
    typeInto(field, 'ea\n茶');
    expect(sent).toEqual([
      { kind: 'type', text: 't' },
      { kind: 'type', text: 'ea\n茶' },
    ]);
    expect(field.value).toBe('');
  });
});

describe('a key', () => {
  beforeEach(() => open());

  test.each([
    ['Enter', {}, 'Enter'],
    ['Tab', {}, 'Tab'],
    ['Backspace', {}, 'Backspace'],
    ['a', { ctrlKey: true }, 'Control+a'],
    ['a', { metaKey: true }, 'Control+a'],
    ['Z', { ctrlKey: true, shiftKey: true }, 'Control+Z'],
    ['ArrowLeft', { ctrlKey: true, shiftKey: true }, 'Control+Shift+ArrowLeft'],
  ])('%s with %o goes to the page as %s, and does nothing here', (key, held, name) => {
    expect(press(key, held)).toBe(false);
    expect(sent).toEqual([{ kind: 'key', key: name }]);
  });

  test.each(['Shift', 'Control', 'CapsLock', 'Dead', 'Process', 'Unidentified', 'a', '茶'])(
    '%s alone is none',
    (key) => {
      expect(press(key)).toBe(true);
      expect(sent).toEqual([]);
    },
  );

  test('Escape goes to the page, and a second one in a row leaves it', () => {
    press('Escape');
    expect([sent, left]).toEqual([[{ kind: 'key', key: 'Escape' }], 0]);
    press('Escape');
    expect([sent.length, left]).toEqual([1, 1]);
  });

  test.each([
    ['another key', () => press('Enter')],
    ['a click', () => tap(10, 10)],
    ['a while elsewhere', () => field.blur()],
  ])('Escape twice with %s in between goes to the page twice', (_what, between) => {
    press('Escape');
    between();
    field.focus();
    press('Escape');
    expect(sent.filter((input) => input.kind === 'key' && input.key === 'Escape')).toHaveLength(2);
    expect(left).toBe(0);
  });
});

test.each([
  ['zh', false, '网页画面，由你操作', 'none', '连按两次 Esc，停止用键盘操作网页。'],
  ['en', true, 'The page, under your control', 'text', 'Press Esc twice to stop typing into the page.'],
] as const)(
  'in %s, with the keyboard of a touch screen: %s, it has the focus and says how to leave',
  async (language, isTyping, name, inputMode, note) => {
    await open({ language, isTyping });
    expect(document.activeElement).toBe(field);
    expect([field.getAttribute('aria-label'), field.inputMode]).toEqual([name, inputMode]);
    const describedBy = field.getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(describedBy)?.textContent).toContain(note);
  },
);
