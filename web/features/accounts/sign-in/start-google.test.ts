import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startGoogle } from './start-google.ts';

let page: EventTarget;
let caller: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  caller = new AbortController();
  const phone = { matchMedia: () => ({ matches: true }), location: { assign: () => {} } };
  page = Object.assign(new EventTarget(), phone);
  vi.stubGlobal('window', page);
});
afterEach(() => {
  caller.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Goes to Google from a phone, in place of the page; returns what is called once its button is to work again. */
function go() {
  const onClosed = vi.fn();
  void startGoogle({ purpose: 'sign-in', returnTo: '/zh/chat', onClosed, signal: caller.signal });
  return onClosed;
}

test('a page that the Back button brings back as it was left does not go on waiting', () => {
  const onClosed = go();
  expect(onClosed).not.toHaveBeenCalled();
  page.dispatchEvent(new Event('pageshow'));
  expect(onClosed).toHaveBeenCalledTimes(1);
});

test('a page that was kept from leaving, as by Stop, does not go on waiting', () => {
  const onClosed = go();
  vi.advanceTimersByTime(19_000);
  expect(onClosed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(onClosed).toHaveBeenCalledTimes(1);
});

test('who waits no more is told nothing', () => {
  const onClosed = go();
  caller.abort();
  vi.advanceTimersByTime(60_000);
  page.dispatchEvent(new Event('pageshow'));
  expect(onClosed).not.toHaveBeenCalled();
});
