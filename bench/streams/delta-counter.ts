/**
 * Counts the occurrences of `marker` in a stream of chunks without parsing it; one that lies across two chunks
 * counts with the second. Answers how many the chunk completed.
 */
export function createDeltaCounter(marker: string): (chunk: Buffer) => number {
  const pattern = Buffer.from(marker);
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let count = 0;
    let next = 0;
    for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, next)) {
      count += 1;
      next = at + pattern.length;
    }
    rest = bytes.subarray(Math.max(next, bytes.length - pattern.length + 1));
    return count;
  };
}
