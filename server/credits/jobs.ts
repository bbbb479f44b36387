import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { closeExpiredBuckets } from './close-expired-buckets.ts';
import { publishCredits } from './publish-credits.ts';
import { verifyBooked } from './verify-ledger.ts';

const MINUTE_MS = 60_000;

/** Begins what goes on in the ledger without a request; safe on several processes at once. */
export function startLedger(deps: Deps, jobs: Jobs): void {
  jobs.repeat('booking expired credits', MINUTE_MS, () => expireCredits(deps));
  jobs.repeat('checking the ledger', MINUTE_MS, () => verifyBooked(deps));
}

async function expireCredits(deps: Deps): Promise<void> {
  for (const { userId, balance } of await closeExpiredBuckets(deps))
    publishCredits(deps.bus, userId, balance);
}
