import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Screen } from './screen.ts';

let stored: string[];
let screen: Screen;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  stored = [];
  screen = new Screen(
    () => {},
    (jpeg) => stored.push(jpeg),
  );
});
afterEach(() => {
  screen.close();
  vi.useRealTimers();
});

test('of pictures that come at once another process gets the first and the last', async () => {
  screen.watchRemotely();
  for (const jpeg of ['1', '2', '3']) screen.show(jpeg);
  expect(stored).toEqual(['1']);
  await vi.advanceTimersByTimeAsync(400);
  expect(stored).toEqual(['1', '3']);
  await vi.advanceTimersByTimeAsync(2_000);
  screen.show('4');
  expect(stored).toEqual(['1', '3', '4']);
});

test('pictures that go on coming reach another process a few a second', async () => {
  screen.watchRemotely();
  for (let n = 0; n < 40; n += 1) {
    screen.show(String(n));
    await vi.advanceTimersByTimeAsync(50);
  }
  await vi.advanceTimersByTimeAsync(400);
  expect(stored.length).toBeGreaterThan(4);
  expect(stored.length).toBeLessThan(10);
  expect(stored.at(-1)).toBe('39');
});

test('no picture is passed on once nobody watches at another process, or the run is over', async () => {
  screen.watchRemotely();
  screen.show('1');
  await vi.advanceTimersByTimeAsync(14_900);
  screen.show('2');
  screen.show('3');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored).toEqual(['1', '2']);
  screen.watchRemotely();
  screen.show('4');
  screen.show('5');
  screen.close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored).toEqual(['1', '2', '3']);
});
