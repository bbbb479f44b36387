/** What issue 2 asks for; the figure may not be above it. Milliseconds unless the name says otherwise. */
export const BUDGETS = {
  sequential: { addedTtftP50: 4 },
  concurrent: {
    500: {
      ttftP50: 100,
      ttftP99: 500,
      gapP99: 80,
      serverCpuSeconds: 14,
      databaseCpuSeconds: 3,
      peakMemoryMb: 200,
    },
  },
} as const;

/** What two checkouts are compared by, and where the product is to be. */
export const COMPARED = {
  addedFirstTokenMs: { name: 'one connection: first token over the model’s, p50 ms', goal: 5.5 },
  latenessAtOneMs: { name: 'one connection: lateness of a token, p50 ms', goal: 10 },
  latenessAt200Ms: { name: '200 at once: lateness of a token, p50 ms', goal: 25 },
  firstTokenAt500P50Ms: { name: '500 at once: first token p50 ms', goal: 150 },
  firstTokenAt500P99Ms: { name: 'p99', goal: 500 },
  gapAt500P99Ms: { name: 'gap between deltas p99 ms', goal: 90 },
  serverCpuSeconds: { name: 'server CPU s / 1,000', goal: 9 },
  databaseCpuSeconds: { name: 'PostgreSQL CPU s / 1,000', goal: 3 },
  peakMemoryMb: { name: 'peak RSS MB', goal: 200 },
  idleCpuMs: { name: 'idle: server CPU ms a second', goal: 4 },
  idleDatabaseCpuMs: { name: 'PostgreSQL CPU ms a second', goal: null },
  startSeconds: { name: 'start on a folder in use, s', goal: 0.6 },
  incomplete: { name: 'answers that were not complete', goal: 0 },
} as const;

export type Figure = keyof typeof COMPARED;
