import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { closeExpiredBuckets } from './close-expired-buckets.ts';
import { publishCredits } from './publish-credits.ts';
import { countDrift, verifyBooked } from './verify-ledger.ts';

/**
 * Begins what goes on in the ledger without a request; safe on several processes at once. Returns the users in whose ledgers this
 * process found a fault, kept up to date by `countDrift`.
 */
export function startCreditJobs(deps: Deps, jobs: Jobs): Set<string> {
  jobs.repeat('booking expired credits', MINUTE_MS, () => expireCredits(deps));
  const faulty = new Set<string>();
  jobs.repeat('checking the ledger', MINUTE_MS, async () => {
    for (const { userId } of await verifyBooked(deps)) faulty.add(userId);
  });
  deps.metrics.addGauge(
    'parley_credit_drift',
    'What does not add up now in ledgers in which this process found a fault.',
    () => countDrift(deps, faulty),
  );
  return faulty;
}

async function expireCredits(deps: Deps): Promise<void> {
  for (const { userId, balance } of await closeExpiredBuckets(deps))
    publishCredits(deps.bus, userId, balance);
}
