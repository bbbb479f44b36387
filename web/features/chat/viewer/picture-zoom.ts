import type { Size } from '#web/lib/use-size.ts';

/** CSS pixels of the screen per pixel of a picture. */
const ZOOMS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];
/** A press makes a picture at least so much larger. */
const STEP = 1.2;
/** A picture is made at most so many times as large as it fits, or as large as it is. */
const MAX_TIMES = 8;

/** The zoom at which a picture is whole in its place, no larger than it is; 0 while one of them has no size. */
export function zoomThatFits(picture: Size, place: Size): number {
  if (picture.width === 0 || picture.height === 0) return 0;
  return Math.min(1, place.width / picture.width, place.height / picture.height);
}

/** The zooms above the one that fits, the smallest first. */
export function zoomsAbove(fit: number): number[] {
  return ZOOMS.filter((zoom) => zoom >= fit * STEP && zoom <= Math.max(1, fit * MAX_TIMES));
}

/** Where in its place a picture is scrolled to, so that the same part of it stays at a point of the place. */
export function scrollThatKeeps(
  point: { x: number; y: number },
  scroll: { left: number; top: number },
  place: Size,
  before: Size,
  after: Size,
): { left: number; top: number } {
  return {
    left: keep(point.x, scroll.left, place.width, before.width, after.width),
    top: keep(point.y, scroll.top, place.height, before.height, after.height),
  };
}

function keep(point: number, scroll: number, place: number, before: number, after: number): number {
  // Smaller than its place, a picture stands in the middle.
  const part = (scroll + point - Math.max(0, (place - before) / 2)) / before;
  const inside = Math.min(1, Math.max(0, part));
  return Math.max(0, Math.min(after - place, inside * after - point));
}
