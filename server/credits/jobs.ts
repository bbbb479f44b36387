import type { Deps } from '#server/deps.ts';
import { repeat } from '#server/platform/jobs.ts';
import { publishCredits } from './publish-credits.ts';
import { sweepExpired } from './sweep-expired.ts';
import { verifyBooked } from './verify-ledger.ts';

const MINUTE_MS = 60_000;

/** Begins what goes on in the ledger without a request; safe on several processes at once. Returns what ends it. */
export function startLedger(deps: Deps): () => void {
  const stops = [
    repeat('booking expired credits', MINUTE_MS, () => expireCredits(deps), deps.log),
    repeat('checking the ledger', MINUTE_MS, () => verifyBooked(deps), deps.log),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

async function expireCredits(deps: Deps): Promise<void> {
  for (const { userId, balance } of await sweepExpired(deps)) publishCredits(deps.bus, userId, balance);
}
