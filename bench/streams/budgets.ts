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

/** The same goals, as a measurement of this checkout alone shows them. */
export const BUDGETS = {
  sequential: { addedTtftP50: COMPARED.addedFirstTokenMs.goal },
  concurrent: {
    500: {
      ttftP50: COMPARED.firstTokenAt500P50Ms.goal,
      ttftP99: COMPARED.firstTokenAt500P99Ms.goal,
      gapP99: COMPARED.gapAt500P99Ms.goal,
      serverCpuSeconds: COMPARED.serverCpuSeconds.goal,
      databaseCpuSeconds: COMPARED.databaseCpuSeconds.goal,
      peakMemoryMb: COMPARED.peakMemoryMb.goal,
    },
  },
} as const;

export type Figure = keyof typeof COMPARED;
