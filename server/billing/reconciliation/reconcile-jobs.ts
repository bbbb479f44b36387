import { repeat, startWorker } from '#server/platform/jobs.ts';
import type { ConfirmDeps } from '../orders/confirm-order.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { leaseAskings } from '../state/question-store.ts';
import { reconcileAccount } from './reconcile-account.ts';
import { reconcileProvider } from './reconcile-provider.ts';
import { leaseReview, type ReviewScope, setReviewDue } from './review-store.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
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
 * Begins asking the payment providers what webhooks did not tell: about users and orders that wait, and for whatever is new in their
 * lists. Each provider has its own queues, so that a slow one delays nothing of another. Safe on several processes at once. Returns
 * what ends it in order.
 */
export function startReconciling(deps: ConfirmDeps): () => Promise<void> {
  const stops = Object.values(deps.providers).map((provider) => startAsking(deps, provider));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

function startAsking(deps: ConfirmDeps, provider: PaymentProvider): () => Promise<void> {
  const { database, clock, log } = deps;
  const { name } = provider;
  const askings = startWorker(
    {
      name: `questions to ${name}`,
      slots: SLOTS,
      everyMs: SECOND_MS,
      lease: (limit) => leaseAskings(database.sql, name, clock.now(), LEASE_MS, limit),
      work: (asking) => reconcileAccount(deps, name, asking),
    },
    log,
  );
  let isStopped = false;
  const ends = (['new', 'recent', 'all'] as const).map((scope) =>
    repeat(
      `the review of ${name}`,
      SECOND_MS,
      () => reviewIfDue(deps, provider, scope, () => isStopped),
      log,
    ),
  );
  return async () => {
    isStopped = true;
    for (const end of ends) end();
    await askings.stop();
  };
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
