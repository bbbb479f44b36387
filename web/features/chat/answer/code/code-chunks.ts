/** Lines of code that are drawn as one piece. */
export const CHUNK_LINES = 100;

/** A list in pieces of `size`, the last one shorter. */
export function chunked<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let from = 0; from < all.length; from += size) chunks.push(all.slice(from, from + size));
  return chunks;
}
