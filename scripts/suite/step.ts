import { stripVTControlCharacters } from 'node:util';

/** What a step adds to the last line. A check counts as one test. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed, by name and reason, to be said again at the end: who reads only that finds it. */
  failures: string[];
}

const FEW_LINES = 12;

export interface Step {
  name: string;
  /** Runs it and prints what went wrong; `selection` narrows it, for developers. */
  run(selection: string[]): Promise<Counts>;
}

/** The counts of a step that is one test, and failed. */
export function oneFailed(reason: string): Counts {
  return { passed: 0, failed: 1, skipped: 0, failures: [reason] };
}

/** The counts of a check, after printing what a failed one said. */
export function checkCounts(ok: boolean, output: string): Counts {
  if (ok) return { passed: 1, failed: 0, skipped: 0, failures: [] };
  console.log(output.trimEnd());
  return oneFailed(output.trimEnd().split('\n').slice(-FEW_LINES).join('\n'));
}

/** A failed test in a few lines: its name and how its message begins. */
export function describeFailure(name: string, message: string): string {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, FEW_LINES);
  return [name, ...lines.map((line) => `    ${line}`)].join('\n');
}
