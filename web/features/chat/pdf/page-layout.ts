/** In points, in CSS pixels or in pixels of a canvas. */
export interface PageSize {
  width: number;
  height: number;
}

/** Where pages stand under each other, in CSS pixels from the top. */
export interface PageLayout {
  width: number;
  tops: readonly number[];
  heights: readonly number[];
}

/** px; between two pages, and around them. */
export const GAP = 12;
/** A4, where a size is not known, or none. */
const USUAL: PageSize = { width: 595, height: 842 };
/** A page is shown at most so many times as high as it is wide, and the other way round. */
const MAX_SHAPE = 30;
/** What one page may take in memory: 32 MB. Browsers of phones end pages that take much more. */
const MAX_PIXELS = 8_000_000;
/** Canvases of every browser may be so long. */
const MAX_SIDE = 8_192;
const MAX_DENSITY = 3;

/** Lays out pages of any size, each `width` wide. */
export function layOutPages(sizes: readonly (PageSize | null)[], width: number): PageLayout {
  const tops: number[] = [];
  const heights: number[] = [];
  let top = GAP;
  for (const size of sizes) {
    const { width: wide, height: high } = size ?? USUAL;
    const shape = Math.min(MAX_SHAPE, Math.max(1 / MAX_SHAPE, high / wide));
    tops.push(top);
    heights.push(Math.round(width * shape));
    top += Math.round(width * shape) + GAP;
  }
  return { width, tops, heights };
}

/** The first and the last page, from 0, that are in sight or at most one screen away. */
export function pagesNear(
  { tops, heights }: PageLayout,
  scrollTop: number,
  screen: number,
): [number, number] {
  const from = scrollTop - screen;
  const to = scrollTop + 2 * screen;
  const first = tops.findIndex((top, page) => top + (heights[page] ?? 0) > from);
  const beyond = tops.findIndex((top) => top >= to);
  return [Math.max(0, first), (beyond === -1 ? tops.length : beyond) - 1];
}

/** The page, from 0, at a height of the layout; the next one in a gap, the last one beyond the end. */
export function pageAt({ tops, heights }: PageLayout, y: number): number {
  const page = tops.findIndex((top, at) => top + (heights[at] ?? 0) > y);
  return page === -1 ? tops.length - 1 : page;
}

/** How many pixels of a canvas a page is drawn in, which is bounded whatever its size, the zoom and the screen. */
export function pixelsOf({ width, height }: PageSize, density: number): PageSize {
  const scale = Math.min(
    Math.min(density, MAX_DENSITY),
    Math.sqrt(MAX_PIXELS / (width * height)),
    MAX_SIDE / Math.max(width, height),
  );
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}
