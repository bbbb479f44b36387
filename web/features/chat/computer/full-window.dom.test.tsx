import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { createMemoryRouter, RouterProvider, useSearchParams } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, draw, find, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { useFullWindow } from './use-full-window.ts';

let router: ReturnType<typeof createMemoryRouter>;
let window_: Low;

beforeEach(() => {
  openPage('http://localhost');
  window_ = new Low();
  vi.stubGlobal('matchMedia', () => window_);
});
afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
});

/** Whether the window is low: happy-dom’s own never changes. */
class Low extends EventTarget {
  matches = false;
  turn(matches: boolean) {
    this.matches = matches;
    flushSync(() => this.dispatchEvent(new Event('change')));
  }
}

/** A page that the reader drives as long as its address says so. */
function Driven() {
  const box = useRef<HTMLDivElement>(null);
  const [search] = useSearchParams();
  const { isFull, attributes } = useFullWindow(box, search.has('driving'));
  return (
    <div>
      <div ref={box} id="box" tabIndex={-1} {...attributes}>
        <textarea />
        <button type="button">{isFull ? 'full' : 'in its place'}</button>
      </div>
    </div>
  );
}

function open() {
  router = createMemoryRouter([{ path: '/', element: <Driven /> }], { initialEntries: ['/', '/?driving'] });
  draw(<RouterProvider router={router} />);
}

async function expectFull(isFull: boolean) {
  const box = await find('#box');
  const expected = isFull ? ['full', 'manual', 'true'] : ['in its place', null, null];
  const now = () => [box.textContent, box.getAttribute('popover'), box.getAttribute('aria-modal')];
  await vi.waitFor(() => expect(now()).toEqual(expected), PATIENT);
}

test('what is driven fills a low window until it is turned, has the focus, and leaves no step back behind', async () => {
  open();
  await expectFull(false);
  window_.turn(true);
  await expectFull(true);
  expect(document.activeElement).toBe(await find('#box'));
  window_.turn(false);
  await expectFull(false);
  await vi.waitFor(() => expect(router.state.location.state).toBeNull(), PATIENT);
  await router.navigate(-1);
  expect(router.state.location.search).toBe('');
});

test('what is not driven fills none', async () => {
  open();
  await router.navigate(-1);
  window_.turn(true);
  await expectFull(false);
});

test('the way back leads to the conversation, until the phone is turned again', async () => {
  open();
  window_.turn(true);
  await expectFull(true);
  await router.navigate(-1);
  await expectFull(false);
  expect(router.state.location.search).toBe('?driving');
  window_.turn(false);
  window_.turn(true);
  await expectFull(true);
});

test('Escape on a button leads there too, and on the picture goes to the page', async () => {
  open();
  window_.turn(true);
  await expectFull(true);
  (await find('textarea')).focus();
  // The test's own Escape would close popovers, which a manual one does not do.
  const pressed = () => new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
  document.activeElement?.dispatchEvent(pressed());
  await expectFull(true);
  (await find('button')).dispatchEvent(pressed());
  await expectFull(false);
});

test('it does not cover a dialog that is open', async () => {
  open();
  document.body.append(Object.assign(document.createElement('dialog'), { open: true }));
  window_.turn(true);
  await expectFull(false);
});
