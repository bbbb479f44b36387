import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { getPriority } from 'node:os';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NO_WALLS, PROGRAMS } from '#test/computer/walls.ts';
import { PATIENT } from '#test/patient.ts';
import { BrowserRun } from '../browser-run.ts';
import { VIEWPORT } from '../protocol.ts';
import { BusyWatch, listProcesses } from './process-watch.ts';

let now = 0;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('processes take too much once they had more cores than allowed for so long, and quiet times make up for it', () => {
  now = 0;
  const watch = new BusyWatch({ cores: 1, ms: 3_000 });
  let used = 0;
  const second = (usedMs: number) => {
    now += 1_000;
    used += usedMs;
    return watch.isTooMuch(used);
  };
  expect([1_500, 1_500, 500, 1_500].map(second)).toEqual([false, false, false, false]);
  expect([1_500, 900, 1_100].map(second)).toEqual([true, false, true]);
});

it('processes that end take nothing', () => {
  now = 0;
  const watch = new BusyWatch({ cores: 1, ms: 1_000 });
  now = 1_000;
  expect(watch.isTooMuch(900)).toBe(false);
  now = 2_000;
  expect(watch.isTooMuch(100)).toBe(false);
});

const BUSY_PAGE = `<!doctype html><title>Busy</title><script>
  new Worker(URL.createObjectURL(new Blob(['for (;;);'])))</script>`;

it.skipIf(NO_WALLS !== null)(
  'a page that takes too much goes behind all others, with its workers',
  async () => {
    vi.restoreAllMocks();
    if (!PROGRAMS) return;
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(BUSY_PAGE);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const run = await BrowserRun.open({
      programs: PROGRAMS,
      limits: { memoryBytes: 3e9, lifetimeMs: 600_000, bytes: 1e8 },
      busy: { cores: 0.02, ms: 1 },
      request: {
        ...{ runId: 'run', viewport: VIEWPORT, allowedSites: ['shop.test'], language: 'en' },
        testHosts: { 'shop.test': `127.0.0.1:${port}` },
      },
      tell: () => undefined,
    });
    expect(await run.act('navigate', { url: 'shop.test/' })).toMatchObject({ title: 'Busy' });
    const isLast = async () => {
      const pids = await listProcesses(run.pid);
      expect(new Set(pids.map((pid) => getPriority(pid)))).toEqual(new Set([19]));
      if (!existsSync('/proc/self/autogroup')) return;
      const session = (pid: number | 'self') => readFileSync(`/proc/${pid}/autogroup`, 'utf8');
      expect(session(pids.at(-1) ?? 0)).toMatch(/ nice 19\n$/);
      expect(session('self')).not.toMatch(/ nice 19\n$/);
    };
    await vi.waitFor(isLast, PATIENT);
    await run.close('closed');
    server.close();
  },
);
