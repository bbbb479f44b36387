import fc from 'fast-check';
import type { AccountsApp } from './accounts-app.ts';
import type { Step } from './accounts-steps.ts';
import { judge } from './accounts-verdict.ts';
import { DOMAINS, World } from './accounts-world.ts';

/** As for all properties on tables; 25 is what it is without the variable. */
const share = Number(process.env.DATABASE_RUNS ?? 25) / 25;

/**
 * Checks after each of so many random runs that every door leads where the rules say. Returns what was done and tried in them, and
 * how often: a run in which nobody gets anywhere would prove nothing.
 */
export async function checkRuns(
  app: AccountsApp,
  steps: fc.Arbitrary<Step[]>,
  runs: number,
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
  await fc.assert(property, { numRuns: Math.ceil(runs * share) });
  return tally;
}
