import type { LedgerScreen } from '#contract/admin/screens.ts';
import { verifyLedger } from '#server/credits/verify-ledger.ts';
import type { Deps } from '#server/deps.ts';
import { selectUnrecovered } from './screen-store.ts';

type ReadDeps = Pick<Deps, 'database'>;

/** As many faults as somebody reads. */
const MAX_DRIFT = 200;
const MAX_UNRECOVERED = 200;

interface Check {
  screen: Promise<LedgerScreen>;
  stop: AbortController;
  readers: number;
}

/** The check that goes on in this process, by its database. */
const checks = new WeakMap<Deps['database'], Check>();

/**
 * Looks through the whole ledger for what does not add up. Whoever asks meanwhile gets the same answer; when the last of them has gone,
 * as their signals say, it stops, and what it gives then is for nobody.
 */
export async function readLedger({ database }: ReadDeps, gone: AbortSignal): Promise<LedgerScreen> {
  const check = checks.get(database) ?? beginCheck({ database });
  check.readers += 1;
  const leave = () => {
    check.readers -= 1;
    if (check.readers === 0) check.stop.abort();
  };
  gone.addEventListener('abort', leave, { once: true });
  if (gone.aborted) leave();
  return check.screen.finally(() => gone.removeEventListener('abort', leave));
}

function beginCheck({ database }: ReadDeps): Check {
  const stop = new AbortController();
  const check: Check = { screen: runCheck({ database }, stop.signal), stop, readers: 0 };
  const end = () => {
    if (checks.get(database) === check) checks.delete(database);
  };
  checks.set(database, check);
  stop.signal.addEventListener('abort', end);
  void check.screen.then(end, end);
  return check;
}

async function runCheck({ database }: ReadDeps, signal: AbortSignal): Promise<LedgerScreen> {
  const drift = [];
  for await (const fault of verifyLedger({ database }, signal)) {
    drift.push(fault);
    if (drift.length > MAX_DRIFT) break;
  }
  return {
    drift: drift.slice(0, MAX_DRIFT),
    hasMore: drift.length > MAX_DRIFT,
    unrecovered: signal.aborted ? [] : await selectUnrecovered(database.sql, MAX_UNRECOVERED),
  };
}
