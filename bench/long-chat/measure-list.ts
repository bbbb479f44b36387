import type { CDPSession, Page } from '@playwright/test';
import { percentile } from '../percentile.ts';
import { against, table } from '../results.ts';
import { BUDGETS } from './budgets.ts';
import { watchKeys } from './watch-frames.ts';
import { readMetrics } from './watch-page.ts';

/** Of the first list the second is measured against. */
const COUNTS = [100, 10_000];
/** What is typed, a key every 60 ms. */
const TEXT = 'The quick brown fox jumps over the lazy dog, and then it thinks about what it did. '.repeat(2);
const KEY_MS = 60;
const SETTLE_MS = 1_000;
const SCROLL_MS = 50;

/**
 * Table of what typing costs beside the list of few and of many conversations, read to its end. `open` gives the page of another user,
 * who has so many.
 */
export async function measureList(
  open: (conversations: number) => Promise<{ page: Page; session: CDPSession }>,
): Promise<string> {
  const rows: (string | number)[][] = [];
  let first: number | undefined;
  for (const count of COUNTS) {
    const { page, session } = await open(count);
    await page.goto('/en/chat');
    const read = await readToEnd(page);
    const composer = page.getByRole('textbox').last();
    await composer.click();
    await page.waitForTimeout(SETTLE_MS);
    const keys = await watchKeys(page, () => page.keyboard.type(TEXT, { delay: KEY_MS }));
    const p95 = percentile(keys, 0.95);
    const budget = first === undefined ? undefined : Math.round(first * BUDGETS.list.keyGrowth);
    first ??= p95;
    const nodes = (await readMetrics(session)).get('Nodes') ?? Number.NaN;
    rows.push([count, read, percentile(keys, 0.5), against(p95, budget), percentile(keys, 1), nodes]);
    await page.context().close();
  }
  const heads = ['conversations', 'read to the end in s', 'key → frame p50 ms', 'p95', 'max', 'DOM nodes'];
  return `**Typing beside the list of conversations, read to its end**\n\n${table(heads, rows)}`;
}

/** Scrolls the list down until there is nothing older; answers the seconds. */
async function readToEnd(page: Page): Promise<number> {
  const before = performance.now();
  const list = page.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('link').first().waitFor();
  const older = list.getByRole('button', { name: 'Older conversations' });
  while ((await older.count()) > 0) {
    await list
      .locator('[data-scroller]')
      .evaluate((box) => box.scrollTo({ top: box.scrollHeight, behavior: 'instant' }));
    await page.waitForTimeout(SCROLL_MS);
  }
  return (performance.now() - before) / 1000;
}
