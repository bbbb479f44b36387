import { startWorker } from '#server/platform/jobs.ts';
import { clearRateLimit, takeRateLimit } from '#server/platform/rate-limit.ts';
import { repeat } from '#server/platform/repeat.ts';
import type { ConfirmDeps } from './confirm-order.ts';
import { claimAskings } from './question-store.ts';
import { reconcileAccount } from './reconcile-account.ts';
import { reconcileProvider } from './reconcile-provider.ts';

const DUE_EVERY_MS = 5_000;
/** Longer than asking about one user takes; after a crash somebody else asks. */
const LEASE_MS = 120_000;
const SWEEP_LOOK_MS = 10 * 60_000;
const DAILY = { max: 1, windowSeconds: 23 * 3_600 };
const HOURLY = { max: 1, windowSeconds: 3_600 };

/**
 * Begins asking the payment providers what webhooks did not tell: what is due all the time, everything once a day. Safe on several
 * processes at once. Returns what ends it in order.
 */
export function startReconciling(deps: ConfirmDeps): () => Promise<void> {
  const { database, clock, log } = deps;
  const askings = startWorker(
    {
      name: 'questions to payment providers',
      slots: 8,
      everyMs: DUE_EVERY_MS,
      claim: (limit) => claimAskings(database.sql, clock.now(), LEASE_MS, limit),
      work: ({ userId, askedTimes }) => reconcileAccount(deps, userId, askedTimes),
    },
    log,
  );
  const endSweeps = repeat('the daily look at all payments', SWEEP_LOOK_MS, () => sweepDaily(deps), log);
  return async () => {
    endSweeps();
    await askings.stop();
  };
}

/** One process a day does it for each provider; after a failure it is tried again in an hour. */
async function sweepDaily(deps: ConfirmDeps): Promise<void> {
  const { sql } = deps.database;
  const at = deps.clock.databaseTime();
  for (const provider of Object.values(deps.providers)) {
    if ((await takeRateLimit(sql, `sweep-try:${provider.name}`, HOURLY, at)) > 0) continue;
    if ((await takeRateLimit(sql, `sweep:${provider.name}`, DAILY, at)) > 0) continue;
    try {
      await reconcileProvider(deps, provider);
    } catch (error) {
      deps.log.warn({ err: error, provider: provider.name }, 'the daily look at all payments failed');
      await clearRateLimit(sql, `sweep:${provider.name}`);
    }
  }
}
