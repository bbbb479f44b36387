/** What may not be exceeded. Issue 23 says what is measured, and no figure: each is what its user would notice, on two cores. */
export const BUDGETS = {
  /** Seconds for 20 MB: ten times as fast as 16 Mbit/s, so that the network is what one waits for. */
  uploadSeconds: 1,
  downloadSeconds: 1,
  /** Milliseconds for 100 kB, at the median: alone nobody sees it, and ten at once are a moment. */
  smallMs: { 1: 50, 10: 300 },
  /** Milliseconds from the last piece to a file that can be sent, at the median: less than it takes to write a question. */
  readyMs: 1_000,
  /** MB of the server alone above what it takes at rest, with 50 uploads at once: three for each piece on its way, and a file that is read. */
  peakMb: 200,
  /** MB above rest that may remain once all is read. */
  leftMb: 100,
} as const;
