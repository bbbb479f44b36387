import { expect, test, vi } from 'vitest';
import { openStillPage } from '#test/dom/page.ts';
import { drawDiagram } from './draw-diagram.ts';

test('a diagram that took too long is drawn anew the next time, in a new frame', async () => {
  openStillPage();
  const first = drawDiagram('graph TD; A-->B', false);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await first).toBeNull();
  expect(document.querySelectorAll('iframe')).toHaveLength(0);
  const again = drawDiagram('graph TD; A-->B', false);
  expect(document.querySelectorAll('iframe')).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await again).toBeNull();
});
