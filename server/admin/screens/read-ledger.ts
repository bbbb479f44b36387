import type { LedgerScreen } from '#contract/admin/screens.ts';
import { verifyLedger } from '#server/credits/verify-ledger.ts';
import type { Deps } from '#server/deps.ts';
import { selectUnrecovered } from './screen-store.ts';

/** As many faults as somebody reads. */
const MAX_DRIFT = 200;
const MAX_UNRECOVERED = 200;

/** Looks through the whole ledger for what does not add up. */
export async function readLedger(deps: Pick<Deps, 'database'>): Promise<LedgerScreen> {
  const drift = [];
  for await (const fault of verifyLedger(deps)) {
    drift.push(fault);
    if (drift.length > MAX_DRIFT) break;
  }
  return {
    drift: drift.slice(0, MAX_DRIFT),
    hasMore: drift.length > MAX_DRIFT,
    unrecovered: await selectUnrecovered(deps.database.sql, MAX_UNRECOVERED),
  };
}
