import { existsSync } from 'node:fs';
import { runOtherBrowsers } from './other-browsers.ts';
import { runProgram } from './run-program.ts';
import { type Counts, checkCounts, type Step } from './step.ts';

/** What the soak needs beyond its own minutes: to start, to seed and to look at what is left. */
const SOAK_EXTRA_MINUTES = 5;

/** What is done before a release only, each with the machine to itself; reports go into `folder`. */
export function releaseChecks(folder: string): Step[] {
  return [
    { name: 'other-browsers', run: () => runOtherBrowsers(folder) },
    { name: 'mutants', run: huntMutants },
    { name: 'soak', run: soak },
  ];
}

/** Hunts the mutants of the payment rules; all of them noticed count as one test. */
async function huntMutants(): Promise<Counts> {
  const { ok, output } = await runProgram('scripts/mutants.ts', [], { timeoutMinutes: 30 });
  return checkCounts(ok, output);
}

/** A steady load for `SOAK_MINUTES`; left out where there is no /proc to read memory from. */
async function soak(): Promise<Counts> {
  if (!existsSync('/proc/self/stat')) return { passed: 0, failed: 0, skipped: 1, failures: [] };
  const minutes = Number(process.env.SOAK_MINUTES ?? 10);
  const { ok } = await runProgram('bench/soak/run-soak.ts', [], {
    live: true,
    timeoutMinutes: minutes + SOAK_EXTRA_MINUTES,
  });
  return checkCounts(ok, '');
}
