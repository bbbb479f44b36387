import fc from 'fast-check';
import { IS_LONG } from '../runs.ts';
import type { AccountsApp } from './app.ts';
import type { Step } from './steps.ts';
import { judge } from './verdict.ts';
import { DOMAINS, World } from './world.ts';

/**
 * Checks after each of `numRuns` random runs that every door leads where the rules say.
 * Returns what was done and tried in them, and how often: a run in which no one gets anywhere would prove nothing.
 */
export async function checkRuns(
  app: AccountsApp,
  steps: fc.Arbitrary<Step[]>,
  numRuns: number,
): Promise<Map<string, number>> {
  const tally = new Map<string, number>();
  const property = fc.asyncProperty(fc.constantFrom(...DOMAINS), steps, async (domain, run) => {
    const world = new World(app, tally, domain);
    try {
      for (const step of run) await step(world);
      await judge(world);
    } finally {
      for (const { stream } of world.streams) stream.close();
      await app.dropMails();
    }
  });
  await fc.assert(property, { numRuns });
  return tally;
}

/** What of `wanted` no run has reached; of what only few runs reach, `seldom`, nothing needs to be in `npm test`. */
export function unreached(tally: Map<string, number>, wanted: string[], seldom: string[] = []): string[] {
  return [...wanted, ...(IS_LONG ? seldom : [])].filter((step) => !tally.has(step));
}
