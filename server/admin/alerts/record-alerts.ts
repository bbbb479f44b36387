import { ALERT_KINDS } from '#contract/admin/alerts.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { type RateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { quietMs } from './alert-rules.ts';
import { deleteAlerts, endAlerts, upsertAlerts } from './alert-store.ts';
import { readSharedAlerts } from './read-shared-alerts.ts';
import { verifyCertificates } from './verify-certificates.ts';
import type { ProcessWatch } from './watch-process.ts';

type RecordDeps = Pick<Deps, 'config' | 'database' | 'clock'>;

const KEPT_DAYS = 90;
/** A little less than the time between two looks, so that a look in time finds it open. */
const PER_MINUTE: RateLimit = { max: 1, windowSeconds: 50 };
const PER_HOUR: RateLimit = { max: 1, windowSeconds: 3_500 };

/**
 * Looks once for what needs the operator, and notes it. This process looks at itself; what all share is looked at by whichever comes
 * first in a minute, and ended by it. Where a look fails, nothing ends.
 */
export async function recordAlerts(deps: RecordDeps, watch: ProcessWatch): Promise<void> {
  const { sql } = deps.database;
  const at = deps.clock.now();
  await upsertAlerts(sql, await watch.find(), at);
  if (!(await isFree(deps, 'alerts', PER_MINUTE))) return;
  await upsertAlerts(sql, await readSharedAlerts(deps), at);
  if (await isFree(deps, 'alerts:certificates', PER_HOUR))
    await upsertAlerts(sql, await verifyCertificates(deps), at);
  const quiet = ALERT_KINDS.map((kind) => ({ kind, since: new Date(at.getTime() - quietMs(kind)) }));
  await endAlerts(sql, quiet, at);
  await deleteAlerts(sql, new Date(at.getTime() - KEPT_DAYS * DAY_MS));
}

/** True for one process in the window of `limit`. */
async function isFree({ database, clock }: RecordDeps, key: string, limit: RateLimit): Promise<boolean> {
  return (await takeRateLimit(database.sql, key, limit, clock.databaseTime())) === 0;
}
