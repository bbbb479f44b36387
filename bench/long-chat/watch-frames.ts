import type { Page } from '@playwright/test';

/** Evaluated in the page: keeps the times between frames, in ms. */
const WATCH_FRAMES = `globalThis.frames_ = [];
  let last = 0;
  requestAnimationFrame(function next(now) {
    if (last > 0) frames_.push(now - last);
    last = now;
    requestAnimationFrame(next);
  });`;

/** Evaluated in the page: notes when Enter was pressed last, and when anything changed last, in ms. */
const WATCH_ANSWER = `addEventListener('keydown', ({ key, timeStamp }) => {
    if (key === 'Enter') globalThis.sentAt = timeStamp;
  }, true);
  new MutationObserver(() => { globalThis.changedAt = performance.now(); })
    .observe(document.querySelector('section[data-scroller]'), { subtree: true, childList: true, characterData: true });`;

/** Evaluated in the page: keeps the time from each key to the frame that shows it, in ms. */
const WATCH_KEYS = `globalThis.keys_ = [];
  addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => keys_.push(performance.now() - timeStamp);
      port2.postMessage(null);
    });
  }, true);`;

/** The times in ms between the frames that the page draws while `act` runs. */
export async function watchFrames(page: Page, act: () => Promise<void>): Promise<Float64Array> {
  await page.evaluate(WATCH_FRAMES);
  await act();
  return Float64Array.from(await page.evaluate<number[]>('frames_'));
}

/** How long it takes, in seconds, from the Enter that `act` presses to the last change of what the conversation shows. */
export async function timeAnswer(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(WATCH_ANSWER);
  await act();
  return (await page.evaluate<number>('changedAt - sentAt')) / 1000;
}

/** The times in ms from each key that `act` presses to the end of its frame. */
export async function watchKeys(page: Page, act: () => Promise<void>): Promise<Float64Array> {
  await page.evaluate(WATCH_KEYS);
  await act();
  return Float64Array.from(await page.evaluate<number[]>('keys_'));
}
