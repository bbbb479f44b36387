import { afterEach, expect, test, vi } from 'vitest';
import { placePopup } from './place-popup.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

/** A popup of 900 px under a button that ends at `bottom`, in a window of 844 px of which `height` from `offsetTop` on are seen. */
function place(bottom: number, seen: { height: number; offsetTop: number }): CSSStyleDeclaration {
  vi.stubGlobal('visualViewport', { scale: 1, ...seen });
  const trigger = document.createElement('button');
  trigger.setAttribute('popovertarget', 'menu');
  trigger.getBoundingClientRect = () => new DOMRect(100, bottom - 44, 200, 44);
  const popup = document.createElement('div');
  Object.defineProperty(popup, 'scrollHeight', { value: 900 });
  Object.defineProperty(popup, 'offsetHeight', { get: () => Number.parseFloat(popup.style.maxHeight) });
  document.body.append(trigger, popup);
  placePopup(popup, 'menu', 'end');
  return popup.style;
}

test('a popup ends 12 px before the end of the window, and is scrolled beyond that', () => {
  expect(place(56, { height: 844, offsetTop: 0 })).toMatchObject({ top: '64px', maxHeight: '768px' });
});

test('a popup keeps clear of a keyboard that lies over the window', () => {
  expect(place(490, { height: 500, offsetTop: 0 })).toMatchObject({ top: '12px', maxHeight: '426px' });
});

test('a popup stays in sight while its button is above what is seen', () => {
  expect(place(56, { height: 500, offsetTop: 200 })).toMatchObject({ top: '208px', maxHeight: '480px' });
});
