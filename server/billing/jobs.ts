import type { Provider } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { repeat, startWorker, type Worker } from '#server/platform/jobs.ts';
import { countWebhooks } from './inbox/inbox-store.ts';
import { leaseInbox, processInbox } from './inbox/process-inbox.ts';
import { inboxTopic } from './inbox/receive-webhook.ts';
import { sendAlerts } from './mails/send-alerts.ts';
import { REVIEW_LEASE_MS, startReconciling } from './reconciliation/reconcile-jobs.ts';
import { countLateReviews } from './reconciliation/review-store.ts';
import { leaseDueUsers } from './state/account-store.ts';
import { projectUser } from './state/project-user.ts';
import { countLateAskings } from './state/question-store.ts';
import { countUncredited } from './state/uncredited-store.ts';
import { leaseCancellation, runCancellation } from './subscriptions/run-cancellation.ts';

const SECOND_MS = 1_000;
/** A projection that failed comes again after this time. */
const PROJECTION_LEASE_MS = 60_000;

/** Begins all that payments do without a request; safe on several processes at once. Returns what ends it in order. */
export function startPayments(deps: Deps): () => Promise<void> {
  const { database, clock, log, metrics } = deps;
  const count = (kind: 'waiting' | 'failed') => async () => (await countWebhooks(database.sql))[kind];
  metrics.addGauge('parley_webhooks_waiting', 'Payment webhooks that wait for being read.', count('waiting'));
  metrics.addGauge('parley_webhooks_failed', 'Payment webhooks that were given up.', count('failed'));
  metrics.addGauge(
    'parley_charges_uncredited',
    'Charges that were paid and grant nothing.',
    async () => (await countUncredited(database.sql, clock.now())).count,
  );
  metrics.addGauge(
    'parley_charges_uncredited_seconds',
    'Seconds since the oldest charge that grants nothing was found.',
    async () => (await countUncredited(database.sql, clock.now())).seconds,
  );
  metrics.addGauge(
    'parley_payment_questions_late',
    'Questions to payment providers that wait for more than a minute.',
    () => countLateAskings(database.sql, clock.now()),
  );
  metrics.addGauge(
    'parley_payment_reviews_late',
    'Lists of payment providers that could not be read in time.',
    () => countLateReviews(database.sql, clock.now(), REVIEW_LEASE_MS),
  );
  const inboxes = (Object.keys(deps.providers) as Provider[]).map((name) => startInbox(deps, name));
  const projections = startWorker(
    {
      name: 'projections',
      slots: 1,
      everyMs: SECOND_MS,
      lease: (limit) => leaseDueUsers(database.sql, clock.now(), PROJECTION_LEASE_MS, limit),
      work: async (userId) => {
        await projectUser(deps, userId);
      },
    },
    log,
  );
  const cancellations = startWorker(
    {
      name: 'cancellations',
      slots: 2,
      everyMs: 2 * SECOND_MS,
      lease: (limit) => leaseCancellation(deps, limit),
      work: (wanted) => runCancellation(deps, wanted),
    },
    log,
  );
  const stopReconciling = startReconciling(deps);
  const endAlerts = repeat('telling the operator', SECOND_MS, () => sendAlerts(deps), log);
  return async () => {
    endAlerts();
    const workers = [...inboxes, projections, cancellations];
    await Promise.all([...workers.map((worker) => worker.stop()), stopReconciling()]);
  };
}

/** One provider's webhooks, woken by their arrival at any process. */
function startInbox(deps: Deps, provider: Provider): Worker {
  const worker = startWorker(
    {
      name: `inbox of ${provider}`,
      slots: 8,
      everyMs: SECOND_MS,
      lease: (limit) => leaseInbox(deps, provider, limit),
      work: (webhook) => processInbox(deps, webhook),
    },
    deps.log,
  );
  const forget = deps.bus.subscribe(inboxTopic(provider), worker.wake);
  return {
    ...worker,
    stop: async () => {
      forget();
      await worker.stop();
    },
  };
}
