import { array, assert, double, integer, option, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '#test/runs.ts';
import { GAP, layOutPages, pageAt, pagesNear, pixelsOf } from './page-layout.ts';

const A4 = { width: 595, height: 842 };
const side = double({ min: 1e-9, max: 1e30, noNaN: true });
const sizes = array(option(record({ width: side, height: side })), { minLength: 1, maxLength: 50 });

it('lays pages of any size under each other, each as wide as asked', () => {
  void assert(
    property(sizes, integer({ min: 1, max: 4_000 }), (pages, width) => {
      const { tops, heights } = layOutPages(pages, width);
      let bottom = 0;
      for (const [page, top] of tops.entries()) {
        expect(top).toBe(bottom + GAP);
        bottom = top + (heights[page] ?? 0);
        expect(bottom - top).toBeLessThanOrEqual(width * 30);
      }
    }),
    { numRuns: runs(1_000) },
  );
});

it('draws a page of any size, at any zoom and on any screen, in at most 8 million pixels', () => {
  void assert(
    property(side, side, double({ min: 0.1, max: 100, noNaN: true }), (width, height, density) => {
      const pixels = pixelsOf({ width, height }, density);
      expect(pixels.width * pixels.height).toBeLessThanOrEqual(8_000_000);
      expect(Math.min(pixels.width, pixels.height)).toBeGreaterThanOrEqual(1);
      expect(Math.max(pixels.width, pixels.height)).toBeLessThanOrEqual(8_192);
    }),
    { numRuns: runs(1_000) },
  );
  expect(pixelsOf({ width: 300, height: 400 }, 2)).toEqual({ width: 600, height: 800 });
});

it('has few pages of many near what is in sight', () => {
  const layout = layOutPages(
    Array.from({ length: 500 }, () => A4),
    326,
  );
  for (const page of [0, 1, 250, 499]) {
    const [first, last] = pagesNear(layout, layout.tops[page] ?? 0, 540);
    expect(first).toBeLessThanOrEqual(page);
    expect(last).toBeGreaterThanOrEqual(page);
    expect(last - first).toBeLessThan(6);
  }
});

it('says which page is at a height, and the nearest beyond the ends', () => {
  const layout = layOutPages([A4, null, A4], 100);
  expect([-50, 0, 100, 156, 400, 9_999].map((y) => pageAt(layout, y))).toEqual([0, 0, 0, 1, 2, 2]);
});
