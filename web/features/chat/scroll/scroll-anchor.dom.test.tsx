import { afterEach, expect, test, vi } from 'vitest';
import { ScrollAnchor } from './scroll-anchor.ts';

afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(document, 'elementsFromPoint');
  document.body.replaceChildren();
});

/** A list with one turn, whose upper edge is where it is said to be; and a toast over both. */
function open() {
  document.body.innerHTML = '<section><article><p>text</p></article></section><div>toast</div>';
  const [box, turn, toast] = ['section', 'article', 'div'].map((name) => document.querySelector(name));
  if (!box || !turn || !toast) throw new Error('nothing was drawn');
  const edge = { top: 0 };
  vi.spyOn(turn, 'getBoundingClientRect').mockImplementation(() => ({ top: edge.top }) as DOMRect);
  const anchor = new ScrollAnchor(box as HTMLElement);
  const seen = (...elements: Element[]) => {
    Object.assign(document, { elementsFromPoint: () => elements });
    anchor.take();
  };
  return { edge, anchor, turn, toast, box, seen };
}

test('what lies under a toast is kept in its place', () => {
  const { edge, anchor, seen, toast, turn, box } = open();
  edge.top = 20;
  seen(toast, turn, box);
  edge.top = 50;
  expect(anchor.drift()).toBe(30);
});

test('where nothing of the list is at its upper edge, it is not led to what was there before', () => {
  const { edge, anchor, seen, toast, turn, box } = open();
  seen(turn, box);
  edge.top = -400;
  seen(toast, box);
  expect(anchor.drift()).toBe(0);
  expect(anchor.shift()).toBe(0);
});

test('while a part of the list fills the window, the list keeps what was read before', () => {
  const { edge, anchor, seen, turn, box } = open();
  seen(turn, box);
  turn.firstElementChild?.setAttribute('aria-modal', 'true');
  edge.top = -400;
  seen(turn, box);
  expect(anchor.drift()).toBe(-400);
});
