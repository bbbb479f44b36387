import type { Browser, Page } from '@playwright/test';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** CPU time of the thread, in microseconds; unlike the duration, it does not grow when other programs are busy. */
  tdur?: number;
  args?: { name?: string };
}

/** What the main thread of a page had to do, in ms of its CPU time. */
export interface MainThreadWork {
  longestTask: number;
  total: number;
}

/** Measures what the main thread of `page` does while `act` runs; one measurement at a time in a browser. */
export async function measureMainThread(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<MainThreadWork> {
  const categories = ['toplevel', '__metadata', 'disabled-by-default-devtools.timeline'];
  await browser.startTracing(page, { categories });
  let trace: Buffer;
  try {
    await act();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  return summarise(traceEvents);
}

/** The busiest renderer's main thread is the page's: the sandbox of diagrams may have one of its own. */
function summarise(events: TraceEvent[]): MainThreadWork {
  const isMain = (event: TraceEvent) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain';
  const threads = new Map(events.filter(isMain).map(({ pid, tid }) => [`${pid}/${tid}`, [0]]));
  for (const { name, pid, tid, tdur = 0 } of events) {
    if (name === 'RunTask' || name === 'ThreadControllerImpl::RunTask')
      threads.get(`${pid}/${tid}`)?.push(tdur / 1000);
  }
  const sum = (tasks: number[]) => tasks.reduce((all, one) => all + one, 0);
  const busiest = [...threads.values()].sort((a, b) => sum(b) - sum(a))[0] ?? [];
  return { longestTask: busiest.reduce((most, one) => Math.max(most, one), 0), total: sum(busiest) };
}
