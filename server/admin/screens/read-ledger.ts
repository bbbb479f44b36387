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

/**
 * Gives what reads the ledger for one caller, who has gone when the signal is aborted. It reads all of it, so whoever asks meanwhile
 * gets the same answer; when the last of them has gone it stops, and what it gives then is for nobody.
 */
export function shareLedger(deps: ReadDeps): (gone: AbortSignal) => Promise<LedgerScreen> {
  let running: Check | null = null;

  function begin(): Check {
    const stop = new AbortController();
    const check: Check = { screen: readLedger(deps, stop.signal), stop, readers: 0 };
    const end = () => {
      if (running === check) running = null;
    };
    stop.signal.addEventListener('abort', end);
    void check.screen.then(end, end);
    return check;
  }

  return async (gone) => {
    running ??= begin();
    const check = running;
    check.readers += 1;
    const leave = () => {
      check.readers -= 1;
      if (check.readers === 0) check.stop.abort();
    };
    gone.addEventListener('abort', leave, { once: true });
    if (gone.aborted) leave();
    return check.screen.finally(() => gone.removeEventListener('abort', leave));
  };
}

/** Looks through the whole ledger for what does not add up, until `signal` is aborted. */
async function readLedger({ database }: ReadDeps, signal: AbortSignal): Promise<LedgerScreen> {
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
