import { expect, it } from 'vitest';
import { scrollThatKeeps, zoomsAbove, zoomThatFits } from './picture-zoom.ts';

const PLACE = { width: 980, height: 530 };
const PAGE = { width: 900, height: 1_200 };
const TOP_LEFT = { left: 0, top: 0 };
const sizeAt = (zoom: number) => ({ width: PAGE.width * zoom, height: PAGE.height * zoom });

it('a picture fits its place, and one that is smaller stays as large as it is', () => {
  expect(zoomThatFits(PAGE, PLACE)).toBeCloseTo(530 / 1_200);
  expect(zoomThatFits({ width: 4_000, height: 100 }, PLACE)).toBeCloseTo(980 / 4_000);
  expect(zoomThatFits({ width: 100, height: 100 }, PLACE)).toBe(1);
  expect(zoomThatFits({ width: 0, height: 0 }, PLACE)).toBe(0);
});

it('each zoom is larger than the one that fits, and there are some for every picture', () => {
  expect(zoomsAbove(530 / 1_200)).toEqual([0.75, 1, 1.5, 2, 3]);
  expect(zoomsAbove(1)).toEqual([1.5, 2, 3, 4, 6, 8]);
  expect(zoomsAbove(0.01)).toEqual([0.05, 0.1, 0.25, 0.5, 0.75, 1]);
});

it('what is in the middle of the place stays there, where the picture was smaller than it and where it was larger', () => {
  const middle = { x: 490, y: 265 };
  const first = scrollThatKeeps(middle, TOP_LEFT, PLACE, sizeAt(530 / 1_200), sizeAt(1.5));
  expect(first).toEqual({ left: 185, top: 635 });
  const second = scrollThatKeeps(middle, first, PLACE, sizeAt(1.5), sizeAt(3));
  expect(second).toEqual({ left: 2 * (185 + 490) - 490, top: 2 * (635 + 265) - 265 });
  expect(scrollThatKeeps(middle, second, PLACE, sizeAt(3), sizeAt(1.5))).toEqual(first);
});

it('a point that was pressed stays under the pointer, and one beside the picture is its nearest edge', () => {
  const atRight = { x: 600, y: 100 };
  const { left, top } = scrollThatKeeps(atRight, TOP_LEFT, PLACE, sizeAt(530 / 1_200), sizeAt(2));
  const fitted = sizeAt(530 / 1_200);
  const across = (600 - (980 - fitted.width) / 2) / fitted.width;
  expect((left + 600) / 1_800).toBeCloseTo(across);
  expect((top + 100) / 2_400).toBeCloseTo(100 / 530);
  const beside = scrollThatKeeps({ x: 900, y: 100 }, TOP_LEFT, PLACE, fitted, sizeAt(2));
  expect(beside.left).toBe(1_800 - 980);
});
