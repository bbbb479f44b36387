import type { CDPSession, Page } from '@playwright/test';
import { percentile } from '../percentile.ts';
import { against, table } from '../results.ts';
import { BUDGETS } from './budgets.ts';
import { watchKeys } from './watch-frames.ts';
import { readMetrics, waitUntilDrawn } from './watch-page.ts';

/** What is typed, a key every 60 ms. */
const TEXT = 'The quick brown fox jumps over the lazy dog, and then it thinks about what it did. '.repeat(2);
const KEY_MS = 60;
const DRAW_TIMEOUT_MS = 30_000;
/** Run in each document: notes when the newest answer can be read and the composer takes keys, in ms since the navigation. */
const WATCH_USABLE = `const timer = setInterval(() => {
    const isUsable = document.querySelector('article:last-of-type .answer p') && document.querySelector('textarea:enabled');
    if (!isUsable) return;
    globalThis.usableAt = performance.now();
    clearInterval(timer);
  }, 5);`;

/** Table of what typing costs below a conversation of 2,000 messages (method e2 of the baselines), at two speeds of the processor. */
export async function measureTyping(page: Page, session: CDPSession, path: string): Promise<string> {
  const rows: (string | number)[][] = [];
  await page.addInitScript(WATCH_USABLE);
  await page.goto('/en/chat');
  await page.getByRole('textbox').last().waitFor();
  for (const throttle of [1, 4] as const) {
    await page.goto(path);
    await page.getByRole('article').last().locator('.answer p').last().waitFor();
    const composer = page.getByRole('textbox').last();
    await composer.click();
    const usable = (await page.evaluate<number>('usableAt')) / 1000;
    await waitUntilDrawn(page, DRAW_TIMEOUT_MS);
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttle });
    const keys = await watchKeys(page, () => page.keyboard.type(TEXT, { delay: KEY_MS }));
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await session.send('HeapProfiler.collectGarbage');
    const metrics = await readMetrics(session);
    await composer.fill('');
    rows.push([
      `${throttle}×`,
      against(usable, BUDGETS.typing.usableSeconds),
      percentile(keys, 0.5),
      against(percentile(keys, 0.98), BUDGETS.typing.keyP98[throttle]),
      percentile(keys, 1),
      metrics.get('Nodes') ?? Number.NaN,
      against((metrics.get('JSHeapUsedSize') ?? Number.NaN) / 1e6, BUDGETS.typing.heapMb),
    ]);
  }
  const heads = [
    'CPU throttle',
    'usable after s',
    'key → frame p50 ms',
    'p98',
    'max',
    'DOM nodes',
    'heap MB',
  ];
  return `**Typing below 2,000 messages, 1.5 MB of text**\n\n${table(heads, rows)}`;
}
