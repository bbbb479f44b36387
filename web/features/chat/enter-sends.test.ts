import { expect, test } from 'vitest';
import { createEnterRule, type KeyPress } from './enter-sends.ts';

type Step = { start: true } | { end: number } | Partial<KeyPress>;

const ENTER: KeyPress = {
  key: 'Enter',
  code: 'Enter',
  keyCode: 13,
  isComposing: false,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  repeat: false,
  timeStamp: 10_000,
};

/** Plays the events of a browser; gives back, for each key press, whether it sends. */
function play(steps: Step[]): boolean[] {
  const rule = createEnterRule();
  const sends: boolean[] = [];
  for (const step of steps) {
    if ('start' in step) rule.compositionStart();
    else if ('end' in step) rule.compositionEnd(step.end);
    else sends.push(rule.keyDown({ ...ENTER, ...step }));
  }
  return sends;
}

const cases: [string, Step[], boolean[]][] = [
  ['Enter alone sends', [{}], [true]],
  ['the Enter of the number pad sends', [{ code: 'NumpadEnter' }], [true]],
  ['Shift+Enter does not', [{ shiftKey: true }], [false]],
  [
    'neither do Ctrl, Alt and Meta',
    [{ ctrlKey: true }, { altKey: true }, { metaKey: true }],
    [false, false, false],
  ],
  ['a key held down sends once', [{}, { repeat: true }], [true, false]],
  ['other keys do not', [{ key: 'a', code: 'KeyA', keyCode: 65 }], [false]],
  [
    'Chromium on macOS: the confirming Enter does not, the next one at once does',
    [{ start: true }, { keyCode: 229, isComposing: true, timeStamp: 100 }, { end: 101 }, { timeStamp: 102 }],
    [false, true],
  ],
  [
    'Chromium on Windows reports the confirming Enter as Process',
    [
      { start: true },
      { key: 'Process', keyCode: 229, isComposing: true, timeStamp: 100 },
      { end: 101 },
      { timeStamp: 102 },
    ],
    [false, true],
  ],
  [
    'Firefox: keydown while composing, then the end',
    [
      { start: true },
      { key: 'Process', isComposing: true, timeStamp: 100 },
      { end: 105 },
      { timeStamp: 300 },
    ],
    [false, true],
  ],
  [
    'Safari: the end first, then the confirming Enter with 229',
    [{ start: true }, { end: 100 }, { keyCode: 229, timeStamp: 101 }, { timeStamp: 400 }],
    [false, true],
  ],
  [
    'Safari: a late Enter that does not even say 229',
    [{ start: true }, { end: 100 }, { timeStamp: 101 }, { timeStamp: 400 }],
    [false, true],
  ],
  [
    'a candidate taken with the mouse leaves the next Enter free',
    [{ start: true }, { end: 100 }, { timeStamp: 900 }],
    [true],
  ],
  [
    'browsers that forget isComposing are covered by the composition events',
    [{ start: true }, { timeStamp: 100 }, { end: 101 }],
    [false],
  ],
  [
    'a modifier after confirming sends nothing',
    [{ start: true }, { end: 100 }, { key: 'Alt', code: 'AltLeft', keyCode: 18 }],
    [false],
  ],
];

test.each(cases)('%s', (_, steps, expected) => {
  expect(play(steps)).toEqual(expected);
});
