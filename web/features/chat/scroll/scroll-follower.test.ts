import { afterEach, expect, test, vi } from 'vitest';
import { ScrollFollower } from './scroll-follower.ts';

const WINDOW = 400;

afterEach(() => vi.unstubAllGlobals());

/** A box that scrolls a list as high as it is said to be, and a follower of its end. */
function follow(height: number) {
  const late: { offsetHeight: number }[] = [];
  const told: boolean[] = [];
  const box = {
    top: 0,
    scrollHeight: height,
    clientHeight: WINDOW,
    getBoundingClientRect: () => ({ left: 0, top: 0, width: 0 }),
    querySelector: () => null,
    get scrollTop() {
      return this.top;
    },
    set scrollTop(top: number) {
      this.top = Math.max(0, Math.min(top, this.scrollHeight - WINDOW));
    },
  };
  const inner = { querySelectorAll: () => late };
  const follower = new ScrollFollower(
    box as unknown as HTMLElement,
    inner as unknown as HTMLElement,
    (isFar) => told.push(isFar),
  );
  const grow = (by: number, isLate = false) => {
    box.scrollHeight += by;
    if (isLate) late.push({ offsetHeight: by });
    follower.relisted(true);
  };
  return { box, late, told, follower, grow };
}

test('text that is written is followed, and what comes late below it leaves it where it is', () => {
  const { box, grow } = follow(1_000);
  grow(100);
  expect(box.scrollTop).toBe(700);
  grow(150, true);
  expect(box.scrollTop).toBe(700);
  grow(90, true);
  expect(box.scrollTop).toBe(700);
});

test('a pixel that comes of rounded heights moves nothing', () => {
  const { box, late, grow } = follow(1_000);
  grow(0);
  late.push({ offsetHeight: 151 });
  grow(150);
  expect(box.scrollTop).toBe(600);
  late.push({ offsetHeight: 89 });
  grow(90);
  expect(box.scrollTop).toBe(600);
});

test('what came late and was seen is like all else', () => {
  const { box, follower, grow } = follow(1_000);
  grow(150, true);
  follower.toBottom();
  expect(box.scrollTop).toBe(750);
  grow(90, true);
  expect(box.scrollTop).toBe(750);
  grow(40);
  expect(box.scrollTop).toBe(790);
});

test('what came late in a turn that is not the last any more does not count', () => {
  const { box, late, grow } = follow(1_000);
  grow(150, true);
  expect(box.scrollTop).toBe(600);
  late.length = 0;
  grow(200);
  expect(box.scrollTop).toBe(950);
});

test('a text that leaves room in the window does not move when what comes late goes beyond it', () => {
  const { box, grow } = follow(WINDOW);
  grow(300, true);
  expect(box.scrollTop).toBe(0);
});

test('a reader who comes to the end is at the end also when the list grows before that is told', () => {
  vi.stubGlobal('document', { elementsFromPoint: () => [] });
  const { box, grow } = follow(1_000);
  grow(0);
  box.scrollTop = 300;
  grow(0);
  expect(box.scrollTop).toBe(300);
  grow(50);
  expect(box.scrollTop).toBe(300);
  box.scrollTop = 650;
  grow(500);
  expect(box.scrollTop).toBe(1_150);
});

test('a list that was shorter for a moment is followed on, and what leads far up while it grows is not taken back', () => {
  vi.stubGlobal('document', { elementsFromPoint: () => [] });
  const { box, grow } = follow(2_000);
  grow(0);
  box.scrollTop = 1_500;
  grow(20);
  expect(box.scrollTop).toBe(1_620);
  box.scrollTop = 200;
  grow(50);
  expect(box.scrollTop).toBe(200);
});

test('the end is far when more than 80 pixels are below the window, or when more is to be read behind it', () => {
  vi.stubGlobal('document', { elementsFromPoint: () => [] });
  const { box, told, follower, grow } = follow(1_000);
  grow(0);
  box.scrollTop = 589;
  grow(0);
  grow(69);
  expect(told).toEqual([]);
  grow(1);
  expect(told).toEqual([true]);
  box.scrollTop = 610;
  grow(0);
  expect(told).toEqual([true, false]);
  follower.relisted(false);
  expect(told).toEqual([true, false, true]);
  follower.relisted(true);
  follower.toBottom();
  grow(500);
  expect(told).toEqual([true, false, true, false]);
});
