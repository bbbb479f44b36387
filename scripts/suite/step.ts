/** What a step adds to the last line. A check counts as one test. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface Step {
  name: string;
  /** Runs it and prints what went wrong; `selection` narrows it, for developers. */
  run(selection: string[]): Promise<Counts>;
}

export const ONE_FAILED: Counts = { passed: 0, failed: 1, skipped: 0 };

/** The counts of a check, after printing what a failed one said. */
export function checkCounts(ok: boolean, output: string): Counts {
  if (ok) return { passed: 1, failed: 0, skipped: 0 };
  console.log(output.trimEnd());
  return ONE_FAILED;
}
