import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunWatchdog } from './run-watchdog.ts';

const IDLE_MS = 100;
/** When its user is asked, in milliseconds from the beginning. */
let asked: [from: number, to: number];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Watches an action from now on; how it ended, or null while it goes on. */
function watch() {
  const startedAt = performance.now();
  const sinceStart = () => performance.now() - startedAt;
  const live = {
    run: { signal: new AbortController().signal },
    get isWaiting() {
      return sinceStart() >= asked[0] && sinceStart() < asked[1];
    },
    lastInputMs: 0,
    ownMs: () => sinceStart() - Math.max(0, Math.min(sinceStart(), asked[1]) - asked[0]),
  };
  const watchdog = new RunWatchdog(live, IDLE_MS);
  const seen: { end: string | null } = { end: null };
  const work = Promise.withResolvers<string>();
  watchdog.act(work.promise).then(
    (end) => {
      seen.end = end;
    },
    () => {
      seen.end = 'lost';
    },
  );
  return { live, watchdog, seen, finish: () => work.resolve('done') };
}

test.each([150, 199, 1_099])(
  'a browser is not lost right after its user answered, %i ms later',
  async (to) => {
    asked = [20, to];
    const { watchdog, seen, finish } = watch();
    await vi.advanceTimersByTimeAsync(to + 60);
    expect(seen.end).toBeNull();
    watchdog.progress();
    await vi.advanceTimersByTimeAsync(IDLE_MS - 10);
    finish();
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.end).toBe('done');
  },
);

test('a browser that does nothing after its user answered is lost', async () => {
  asked = [20, 150];
  const { watchdog, seen } = watch();
  await vi.advanceTimersByTimeAsync(160);
  watchdog.progress();
  await vi.advanceTimersByTimeAsync(2 * IDLE_MS);
  expect(seen.end).toBe('lost');
});

test('a browser that still types what its user pasted before is not lost, until it stops', async () => {
  asked = [1e6, 1e6];
  const { live, seen } = watch();
  for (let n = 0; n < 3; n += 1) {
    await vi.advanceTimersByTimeAsync(IDLE_MS - 10);
    live.lastInputMs = live.ownMs();
  }
  expect(seen.end).toBeNull();
  await vi.advanceTimersByTimeAsync(IDLE_MS + 1);
  expect(seen.end).toBe('lost');
});

test('a browser that does nothing is lost after its time', async () => {
  asked = [1e6, 1e6];
  const { seen } = watch();
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(seen.end).toBeNull();
  await vi.advanceTimersByTimeAsync(2);
  expect(seen.end).toBe('lost');
});
