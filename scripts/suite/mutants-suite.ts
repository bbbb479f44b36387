import { runProgram } from './run-program.ts';
import { type Counts, checkCounts } from './step.ts';

/** Hunts the mutants of the payment rules; all of them noticed count as one test. */
export async function huntMutants(): Promise<Counts> {
  const { ok, output } = await runProgram('scripts/mutants.ts', [], { timeoutMinutes: 30 });
  return checkCounts(ok, output);
}
