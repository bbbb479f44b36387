/** ms and seconds of the main thread, in Chromium on two cores that do nothing else. */
export const BUDGETS = {
  /** A task beyond 50 ms delays what the reader does. */
  relaxed: { longestTaskMs: 50, busyShare: 0.2 },
  fast: { longestTaskMs: 100, busyShare: 0.6 },
  /** Answers made to break renderers. */
  rough: { longestTaskMs: 200 },
  /** The best peer's figures, or half of them. */
  tenThousand: { overIdealSeconds: 0.3, taskSeconds: 7, longTaskMs: 200, longestTaskMs: 60, frameP99: 35 },
  typing: { usableSeconds: 1, keyP98: { 1: 16, 4: 45 }, heapMb: 200 },
  /** From the press on a link of the list to the frame that shows the newest answer, p95. */
  going: { seenMs: 50, unseenMs: 150 },
  /** With many conversations as with few: a fifth is noise. */
  list: { keyGrowth: 1.2 },
  opening: { longestTaskMs: 200, readableSeconds: 2 },
} as const;
