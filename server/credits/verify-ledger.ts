import type { Deps } from '#server/deps.ts';
import {
  checkBooked,
  type Drift,
  findLastCheck,
  isCheckDue,
  selectAccounts,
  selectDriftOf,
} from './store.ts';

/** Longer than a statement may take, so that no transaction with a lower number is still open. */
const SETTLED_MS = 45_000;
/** Numbers of transfers looked at in one statement. */
const AT_ONCE = 5_000;
const MAX_BATCHES = 10;
const ACCOUNTS_AT_ONCE = 100;
/** Users of whom `countDrift` reads the ledger. */
const MAX_FAULTY = 100;
/** More than `verifyBooked` takes between two looks, and for what was booked to settle. */
const LATE_MS = 300_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Checks what was booked since the last look, however much was booked before, and logs what does not fit. A ledger that was never
 * checked is caught up with in some minutes. Safe on several processes: only one process checks at a time. Returns what it found.
 */
export async function verifyBooked(
  { database: { sql }, log }: Pick<Deps, 'database' | 'log'>,
  settledMs = SETTLED_MS,
): Promise<Drift[]> {
  const found: Drift[] = [];
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    found.push(...(await checkBooked(sql, AT_ONCE, settledMs)));
    if (!(await isCheckDue(sql))) break;
  }
  for (const drift of found) log.error({ alert: 'ledger_drift', ...drift }, 'the ledger does not add up');
  return found;
}

/** When `verifyBooked` had last looked at all that was booked before, and whether that is too long ago. */
export function readLastCheck({ database: { sql } }: Pick<Deps, 'database'>) {
  return findLastCheck(sql, LATE_MS);
}

/** Counts faults now, for at most 100 users; removes users without faults from `faulty`. */
export async function countDrift(
  { database: { sql } }: Pick<Deps, 'database'>,
  faulty: Set<string>,
): Promise<number> {
  const looked = [...faulty].slice(0, MAX_FAULTY);
  if (looked.length === 0) return 0;
  const found = await selectDriftOf(sql, looked);
  const left = new Set(found.map(({ userId }) => userId));
  for (const id of looked) if (!left.has(id)) faulty.delete(id);
  return found.length;
}

/** Checks the whole ledger, some accounts at a time, until `signal` is aborted. Yields each fault as it is found. */
export async function* verifyLedger(
  { database: { sql } }: Pick<Deps, 'database'>,
  signal?: AbortSignal,
): AsyncGenerator<Drift> {
  let after = FIRST_ID;
  while (!signal?.aborted) {
    const ids = await selectAccounts(sql, after, ACCOUNTS_AT_ONCE);
    const last = ids.at(-1);
    if (last === undefined) return;
    yield* await selectDriftOf(sql, ids);
    after = last;
  }
}

/** What does not fit in the ledgers of some users, 200 faults at most. */
export function findDrift(
  { database: { sql } }: Pick<Deps, 'database'>,
  userIds: readonly string[],
): Promise<Drift[]> {
  return selectDriftOf(sql, userIds);
}
