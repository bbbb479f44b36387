import type { Page } from '@playwright/test';
import { percentile } from '../percentile.ts';
import { against, table } from '../results.ts';
import { BUDGETS } from './budgets.ts';

/** How often each conversation is gone to after it was seen. */
const ROUNDS = 4;
const SETTLE_MS = 400;

/**
 * Run in each document: `globalThis.going` is how long the last press on a link took, from the event to the frame that shows the newest
 * answer of another conversation, in ms; undefined before.
 */
const WATCH_GOING = `addEventListener('click', (event) => {
    const link = event.target.closest('nav a');
    if (!link) return;
    const newest = () => [...document.querySelectorAll('article')].at(-1);
    const before = newest()?.dataset.message;
    globalThis.going = undefined;
    const look = () => {
      const turn = newest();
      const isShown = turn && turn.dataset.message !== before && turn.querySelector('.answer p');
      if (!isShown) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { globalThis.going = performance.now() - event.timeStamp; };
      requestAnimationFrame(() => channel.port2.postMessage(null));
    };
    requestAnimationFrame(look);
  }, { capture: true });`;

/** Table of going from one conversation of 2,000 messages to another by the list, those never seen and those seen before. */
export async function measureGoing(page: Page, conversations: readonly string[]): Promise<string> {
  await page.addInitScript(WATCH_GOING);
  const unseen: number[] = [];
  const seen: number[] = [];
  for (let pass = 0; pass < 2; pass += 1) {
    await page.goto('/en/chat');
    await page.getByRole('textbox').last().waitFor();
    await page.waitForTimeout(SETTLE_MS);
    for (const id of conversations) unseen.push(await go(page, id));
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const id of conversations) seen.push(await go(page, id));
  const row = (title: string, values: number[], budget: number) => {
    const sorted = Float64Array.from(values);
    return [
      title,
      values.length,
      percentile(sorted, 0.5),
      against(percentile(sorted, 0.95), budget),
      percentile(sorted, 1),
    ];
  };
  const rows = [
    row('seen before', seen, BUDGETS.going.seenMs),
    row('not seen before', unseen, BUDGETS.going.unseenMs),
  ];
  const heads = ['conversation of 2,000 messages', 'times', 'press → frame p50 ms', 'p95', 'max'];
  return `**Going to another conversation by the list**\n\n${table(heads, rows)}`;
}

/** Presses the link to a conversation as a hand does, and gives back how long it took. */
async function go(page: Page, id: string): Promise<number> {
  const link = page.locator(`nav a[href$="${id}"]`);
  await link.hover();
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForFunction('globalThis.going !== undefined');
  const took = await page.evaluate<number>('globalThis.going');
  await page.waitForTimeout(SETTLE_MS);
  return took;
}
