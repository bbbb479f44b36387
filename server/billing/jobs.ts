import type { Provider } from '#contract/choices.ts';
import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { dueWebhooks } from './inbox/inbox-store.ts';
import { leaseInbox, processInbox } from './inbox/process-inbox.ts';
import { inboxTopic } from './inbox/receive-webhook.ts';
import { sendUncredited } from './mails/send-uncredited.ts';
import { startReconciling } from './reconciliation/reconcile-jobs.ts';
import { dueUsers, leaseDueUsers } from './state/account-store.ts';
import { dueCancellations } from './state/cancellation-store.ts';
import { projectUser } from './state/project-user.ts';
import { dueUncredited } from './state/uncredited-store.ts';
import { leaseCancellation, runCancellation } from './subscriptions/run-cancellation.ts';
import { watchBilling } from './watch-billing.ts';

/** A projection that failed comes again after this time. */
const PROJECTION_LEASE_MS = MINUTE_MS;

/** Begins all that payments do without a request. */
export function startBillingJobs(deps: Deps, jobs: Jobs): void {
  watchBilling(deps);
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
    () => dueUncredited(database.sql, clock.now()),
    () => sendUncredited(deps),
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
