import type { Provider } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { shareRead } from '#server/platform/metrics.ts';
import { countWebhooks, dueWebhooks } from './inbox/inbox-store.ts';
import { leaseInbox, processInbox } from './inbox/process-inbox.ts';
import { inboxTopic } from './inbox/receive-webhook.ts';
import { sendAlerts } from './mails/send-alerts.ts';
import { REVIEW_LEASE_MS, startReconciling } from './reconciliation/reconcile-jobs.ts';
import { countLateReviews } from './reconciliation/review-store.ts';
import { dueUsers, leaseDueUsers } from './state/account-store.ts';
import { dueCancellations } from './state/cancellation-store.ts';
import { countLatePolls } from './state/poll-store.ts';
import { projectUser } from './state/project-user.ts';
import { countUncredited, dueAlerts } from './state/uncredited-store.ts';
import { leaseCancellation, runCancellation } from './subscriptions/run-cancellation.ts';

/** A projection that failed comes again after this time. */
const PROJECTION_LEASE_MS = 60_000;

/** Begins all that payments do without a request. */
export function startPayments(deps: Deps, jobs: Jobs): void {
  addGauges(deps);
  const { database, clock } = deps;
  for (const name of Object.keys(deps.providers) as Provider[]) startInbox(deps, jobs, name);
  jobs.startWorker({
    name: 'projections',
    slots: 1,
    due: () => dueUsers(database.sql, clock.now()),
    lease: (limit) => leaseDueUsers(database.sql, clock.now(), PROJECTION_LEASE_MS, limit),
    work: async (userId) => {
      await projectUser(deps, userId);
    },
  });
  jobs.startWorker({
    name: 'cancellations',
    slots: 2,
    due: () => dueCancellations(database.sql, clock.now()),
    lease: (limit) => leaseCancellation(deps, limit),
    work: (wanted) => runCancellation(deps, wanted),
  });
  startReconciling(deps, jobs);
  jobs.whenDue(
    'alerting the operator',
    () => dueAlerts(database.sql, clock.now()),
    () => sendAlerts(deps),
  );
}

/** One provider's webhooks, woken by their arrival at any process. */
function startInbox(deps: Deps, jobs: Jobs, provider: Provider): void {
  const { database, clock, bus } = deps;
  const worker = jobs.startWorker({
    name: `inbox of ${provider}`,
    slots: 8,
    due: () => dueWebhooks(database.sql, provider, clock.now()),
    lease: (limit) => leaseInbox(deps, provider, limit),
    work: (webhook) => processInbox(deps, webhook),
  });
  bus.subscribe(inboxTopic(provider), worker.wake);
}

function addGauges({ database, clock, metrics }: Deps): void {
  const webhooks = shareRead(() => countWebhooks(database.sql, clock.now()));
  const uncredited = shareRead(() => countUncredited(database.sql, clock.now()));
  metrics.addGauge(
    'parley_webhooks_waiting',
    'Payment webhooks that wait for being read.',
    async () => (await webhooks()).waiting,
  );
  metrics.addGauge(
    'parley_webhooks_oldest_seconds',
    'Seconds since the oldest payment webhook that waits came.',
    async () => (await webhooks()).oldest,
  );
  metrics.addGauge(
    'parley_webhooks_failed',
    'Payment webhooks that were given up.',
    async () => (await webhooks()).failed,
  );
  metrics.addGauge(
    'parley_charges_uncredited',
    'Charges that were paid and grant nothing.',
    async () => (await uncredited()).count,
  );
  metrics.addGauge(
    'parley_charges_uncredited_seconds',
    'Seconds since the oldest charge that grants nothing was found.',
    async () => (await uncredited()).seconds,
  );
  metrics.addGauge(
    'parley_payment_polls_late',
    'Questions to payment providers that wait for more than a minute.',
    () => countLatePolls(database.sql, clock.now()),
  );
  metrics.addGauge(
    'parley_payment_reviews_late',
    'Lists of payment providers that could not be read in time.',
    () => countLateReviews(database.sql, clock.now(), REVIEW_LEASE_MS),
  );
}
