import type { LedgerCheck, LedgerScreen } from '#contract/admin/screens.ts';
import { selectAlerts } from '#server/admin/alerts/alert-store.ts';
import { findDrift, readLastCheck, verifyLedger } from '#server/credits/verify-ledger.ts';
import type { Deps } from '#server/deps.ts';
import { readTogether } from './read-together.ts';
import { selectUnrecovered } from './screen-store.ts';

/** As many faults as a person reads. */
const MAX_DRIFT = 200;
const MAX_UNRECOVERED = 200;

/**
 * What the check of each minute last found: the faults that there are now in the ledgers that its alert names, which are the first
 * ones. `readLedgerCheck` looks at all.
 */
export async function readLedger({ database }: Pick<Deps, 'database'>): Promise<LedgerScreen> {
  const { checkedAt, isLate } = await readLastCheck({ database });
  const alert = (await selectAlerts(database.sql)).find(({ kind }) => kind === 'ledger_drift');
  const named = alert ? String(alert.details.userIds).split(' ') : [];
  return {
    checkedAt: checkedAt?.getTime() ?? null,
    isLate,
    drift: named.length > 0 ? await findDrift({ database }, named) : [],
    hasMore: alert !== undefined && Number(alert.details.users) > named.length,
    unrecovered: await selectUnrecovered(database.sql, MAX_UNRECOVERED),
  };
}

/** Looks through the whole ledger for what does not add up, as long as its caller waits. */
export const readLedgerCheck = readTogether(
  async ({ database }: Pick<Deps, 'database'>, signal): Promise<LedgerCheck> => {
    const drift = [];
    for await (const fault of verifyLedger({ database }, signal)) {
      drift.push(fault);
      if (drift.length > MAX_DRIFT) break;
    }
    return { drift: drift.slice(0, MAX_DRIFT), hasMore: drift.length > MAX_DRIFT };
  },
);
