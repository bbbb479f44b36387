import { expect, test } from 'vitest';
import { createEnterRule, type KeyPress } from './use-enter-key.ts';

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

type Verdict = 'send' | 'swallow' | 'pass';

/** Plays the events of a browser; returns what each key press does. */
function play(steps: Step[]): Verdict[] {
  const rule = createEnterRule();
  const verdicts: Verdict[] = [];
  for (const step of steps) {
    if ('start' in step) rule.compositionStart();
    else if ('end' in step) rule.compositionEnd(step.end);
    else verdicts.push(rule.keyDown({ ...ENTER, ...step }));
  }
  return verdicts;
}

const cases: [string, Step[], Verdict[]][] = [
  ['Enter alone sends', [{}], ['send']],
  ['the Enter of the number pad sends', [{ code: 'NumpadEnter' }], ['send']],
  ['Shift+Enter does not', [{ shiftKey: true }], ['pass']],
  [
    'neither do Ctrl, Alt and Meta',
    [{ ctrlKey: true }, { altKey: true }, { metaKey: true }],
    ['pass', 'pass', 'pass'],
  ],
  ['a key held down sends once', [{}, { repeat: true }], ['send', 'swallow']],
  ['other keys do not', [{ key: 'a', code: 'KeyA', keyCode: 65 }], ['pass']],
  [
    'Chromium on macOS: the confirming Enter does not, the next one at once does',
    [{ start: true }, { keyCode: 229, isComposing: true, timeStamp: 100 }, { end: 101 }, { timeStamp: 102 }],
    ['pass', 'send'],
  ],
  [
    'Chromium on Windows reports the confirming Enter as Process',
    [
      { start: true },
      { key: 'Process', keyCode: 229, isComposing: true, timeStamp: 100 },
      { end: 101 },
      { timeStamp: 102 },
    ],
    ['pass', 'send'],
  ],
  [
    'Firefox: keydown while composing, then the end',
    [
      { start: true },
      { key: 'Process', isComposing: true, timeStamp: 100 },
      { end: 105 },
      { timeStamp: 300 },
    ],
    ['pass', 'send'],
  ],
  [
    'Safari: the end first, then the confirming Enter with 229',
    [{ start: true }, { end: 100 }, { keyCode: 229, timeStamp: 101 }, { timeStamp: 400 }],
    ['pass', 'send'],
  ],
  [
    'Safari: a late Enter that does not even say 229',
    [{ start: true }, { end: 100 }, { timeStamp: 101 }, { timeStamp: 400 }],
    ['swallow', 'send'],
  ],
  [
    'a candidate taken with the mouse leaves the next Enter free',
    [{ start: true }, { end: 100 }, { timeStamp: 900 }],
    ['send'],
  ],
  [
    'browsers that forget isComposing are covered by the composition events',
    [{ start: true }, { timeStamp: 100 }, { end: 101 }],
    ['pass'],
  ],
  [
    'a modifier after confirming sends nothing',
    [{ start: true }, { end: 100 }, { key: 'Alt', code: 'AltLeft', keyCode: 18 }],
    ['pass'],
  ],
];

test.each(cases)('%s', (_, steps, expected) => {
  expect(play(steps)).toEqual(expected);
});
