import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/time.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import type { ConfirmDeps } from '../orders/confirm-order.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { duePolls, leasePolls } from '../state/poll-store.ts';
import { reconcileAccount } from './reconcile-account.ts';
import { reconcileProvider } from './reconcile-provider.ts';
import { dueReview, leaseReview, type ReviewScope, setReviewDue } from './review-store.ts';

/** Longer than asking about one user takes; after a crash another process asks. */
const LEASE_MS = 2 * MINUTE_MS;
/** Longer than one page of a list takes. */
export const REVIEW_LEASE_MS = 5 * MINUTE_MS;
const SLOTS = 6;
/** How long after the beginning of a review the next one begins, and how long after one that failed. */
const REVIEWS: Record<ReviewScope, { everyMs: number; againMs: number }> = {
  new: { everyMs: 20 * SECOND_MS, againMs: 20 * SECOND_MS },
  recent: { everyMs: 50 * MINUTE_MS, againMs: 5 * MINUTE_MS },
  all: { everyMs: 22 * HOUR_MS, againMs: HOUR_MS },
};

/**
 * Begins asking the payment providers what webhooks did not report: about users and orders that wait, and for whatever is new in their
 * lists. Each provider has its own queues, so that a slow one delays nothing of another.
 */
export function startReconciling(deps: ConfirmDeps, jobs: Jobs): void {
  for (const provider of Object.values(deps.providers)) startPolls(deps, jobs, provider);
}

function startPolls(deps: ConfirmDeps, jobs: Jobs, provider: PaymentProvider): void {
  const { database, clock } = deps;
  const { name } = provider;
  jobs.startWorker({
    name: `polls of ${name}`,
    slots: SLOTS,
    due: () => duePolls(database.sql, name, clock.now()),
    lease: (limit) => leasePolls(database.sql, name, clock.now(), LEASE_MS, limit),
    work: (poll) => reconcileAccount(deps, name, poll),
  });
  for (const scope of ['new', 'recent', 'all'] as const) {
    jobs.whenDue(
      `the ${scope} review of ${name}`,
      () => dueReview(database.sql, name, scope, clock.now()),
      () => reviewIfDue(deps, provider, scope, () => jobs.isStopped),
    );
  }
}

/** Reads a provider's lists when that is due; one process does it. Whatever fails is logged, and tried again sooner. */
export async function reviewIfDue(
  deps: ConfirmDeps,
  provider: PaymentProvider,
  scope: ReviewScope,
  isStopped = () => false,
): Promise<void> {
  const { database, clock, log } = deps;
  const begunAt = clock.now();
  const setDue = (from: Date, inMs: number, readTo?: Date) =>
    setReviewDue(database.sql, provider.name, scope, new Date(from.getTime() + inMs), readTo);
  const review = await leaseReview(database.sql, provider.name, scope, begunAt, REVIEW_LEASE_MS);
  if (!review) return;
  try {
    await reconcileProvider(deps, provider, scope, {
      readTo: review.readTo,
      onPage: async () => {
        if (isStopped()) throw new Error('the process stops');
        await setDue(clock.now(), REVIEW_LEASE_MS);
      },
    });
    await setDue(begunAt, REVIEWS[scope].everyMs, begunAt);
  } catch (err) {
    log.warn({ err, provider: provider.name, scope }, 'the review of a payment provider failed');
    await setDue(clock.now(), REVIEWS[scope].againMs);
  }
}
