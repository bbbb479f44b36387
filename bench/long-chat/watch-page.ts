import type { CDPSession, Page } from '@playwright/test';

/** What a page's main thread did between two looks. */
export interface PageWork {
  seconds: number;
  /** Of tasks, scripts, and layout with styles. */
  taskSeconds: number;
  scriptSeconds: number;
  layoutSeconds: number;
  longTasks: number;
  /** All of them together. */
  longTaskMs: number;
  longestTaskMs: number;
  nodes: number;
  heapMb: number;
}

/** Evaluated in the page: keeps how long its long tasks took, in ms. */
const WATCH = `globalThis.tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });`;

/** Watches the tasks of every document that the page will open. */
export async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(WATCH);
}

/** Waits until every answer is drawn that is to be. */
export async function waitUntilDrawn(page: Page, timeout: number): Promise<void> {
  await page.locator('.answer .coming').first().waitFor({ state: 'detached', timeout });
}

/** Measures what the page does while `act` runs. */
export async function measureWork(
  page: Page,
  session: CDPSession,
  act: () => Promise<void>,
): Promise<PageWork> {
  await session.send('Performance.enable');
  const before = await readMetrics(session);
  await page.evaluate('tasks.length = 0');
  const started = performance.now();
  await act();
  const seconds = (performance.now() - started) / 1000;
  const after = await readMetrics(session);
  const tasks = await page.evaluate<number[]>('tasks');
  const spent = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  return {
    seconds,
    taskSeconds: spent('TaskDuration'),
    scriptSeconds: spent('ScriptDuration'),
    layoutSeconds: spent('LayoutDuration') + spent('RecalcStyleDuration'),
    longTasks: tasks.length,
    longTaskMs: tasks.reduce((sum, duration) => sum + duration, 0),
    longestTaskMs: Math.max(0, ...tasks),
    nodes: after.get('Nodes') ?? Number.NaN,
    heapMb: (after.get('JSHeapUsedSize') ?? Number.NaN) / 1e6,
  };
}

/** Chromium's own figures of the page, by name. */
export async function readMetrics(session: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value]));
}
