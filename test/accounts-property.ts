import fc from 'fast-check';
import { type AccountsApp, startAccountsApp } from './accounts-app.ts';
import type { Step } from './accounts-steps.ts';
import { judge } from './accounts-verdict.ts';
import { DOMAINS, World } from './accounts-world.ts';

/** Runs of a file; `PROPERTY_RUNS` changes them. */
const share = Number(process.env.PROPERTY_RUNS ?? 10_000) / 10_000;

/** Checks after each of so many random runs that every door leads where the rules say; returns what succeeded in them, and how often. */
export async function checkRuns(app: AccountsApp, steps: fc.Arbitrary<Step[]>, runs: number) {
  const tally = new Map<string, number>();
  const property = fc.asyncProperty(fc.constantFrom(...DOMAINS), steps, async (domain, run) => {
    const world = new World(app, tally, domain);
    try {
      for (const step of run) await step(world);
      await judge(world);
    } finally {
      for (const { stream } of world.streams) stream.close();
    }
  });
  await fc.assert(property, { numRuns: Math.ceil(runs * share) });
  return tally;
}

export { startAccountsApp };
