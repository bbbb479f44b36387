import type { CDPSession, Page } from '@playwright/test';
import { percentile } from '../percentile.ts';
import { against, table } from '../results.ts';
import { BUDGETS } from './budgets.ts';
import { readMetrics } from './watch-page.ts';

/** How often each conversation is gone to after it was seen. */
const ROUNDS = 4;
const SETTLE_MS = 400;

/**
 * Run in each document: `globalThis.going` promises how long the last press on a link takes, from the event to the frame that shows
 * the newest answer of another conversation, in ms.
 */
const WATCH_GOING = `addEventListener('click', (event) => {
    const link = event.target.closest('nav a');
    if (!link) return;
    const newest = () => [...document.querySelectorAll('article')].at(-1);
    const before = newest()?.dataset.message;
    const { promise, resolve } = Promise.withResolvers();
    globalThis.going = promise;
    const look = () => {
      const turn = newest();
      const isShown = turn && turn.dataset.message !== before && turn.querySelector('.answer p');
      if (!isShown) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now() - event.timeStamp);
      requestAnimationFrame(() => channel.port2.postMessage(null));
    };
    requestAnimationFrame(look);
  }, { capture: true });`;

interface Gone {
  /** From the press to the frame. */
  ms: number;
  /** What the main thread did of it, in CPU time: other programs do not add to that. */
  cpuMs: number;
}

/** Table of going from one conversation of 2,000 messages to another by the list, those never seen and those seen before. */
export async function measureGoing(page: Page, conversations: readonly string[]): Promise<string> {
  await page.addInitScript(WATCH_GOING);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const unseen: Gone[] = [];
  const seen: Gone[] = [];
  for (let pass = 0; pass < 2; pass += 1) {
    await page.goto('/en/chat');
    await page.getByRole('textbox').last().waitFor();
    await page.waitForTimeout(SETTLE_MS);
    for (const id of conversations) unseen.push(await go(page, session, id));
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const id of conversations) seen.push(await go(page, session, id));
  const rows = [
    cells('seen before', seen, BUDGETS.going.seenMs),
    cells('not seen before', unseen, BUDGETS.going.unseenMs),
  ];
  const heads = [
    'conversation of 2,000 messages',
    'times',
    'press → frame p50 ms',
    'p95',
    'max',
    'main thread CPU p50 ms',
  ];
  return `**Going to another conversation by the list**\n\n${table(heads, rows)}`;
}

function cells(title: string, gone: readonly Gone[], budget: number): (string | number)[] {
  const ms = Float64Array.from(gone, (one) => one.ms);
  const cpuMs = Float64Array.from(gone, (one) => one.cpuMs);
  return [
    title,
    gone.length,
    percentile(ms, 0.5),
    against(percentile(ms, 0.95), budget),
    percentile(ms, 1),
    percentile(cpuMs, 0.5),
  ];
}

/** Presses the link to a conversation as a hand does. */
async function go(page: Page, session: CDPSession, id: string): Promise<Gone> {
  const link = page.locator(`nav a[href$="${id}"]`);
  await link.hover();
  const before = await taskSeconds(session);
  await page.mouse.down();
  await page.mouse.up();
  const ms = await page.evaluate<number>('going');
  const cpuMs = ((await taskSeconds(session)) - before) * 1000;
  await page.waitForTimeout(SETTLE_MS);
  return { ms, cpuMs };
}

async function taskSeconds(session: CDPSession): Promise<number> {
  return (await readMetrics(session)).get('TaskDuration') ?? Number.NaN;
}
