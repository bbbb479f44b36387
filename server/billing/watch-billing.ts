import type { Deps } from '#server/deps.ts';
import { shareRead } from '#server/platform/metrics.ts';
import { countWebhooks } from './inbox/inbox-store.ts';
import { readLateCancellations } from './read-late-cancellations.ts';
import { REVIEW_LEASE_MS } from './reconciliation/reconcile-jobs.ts';
import { countLateReviews } from './reconciliation/review-store.ts';
import { countLatePolls } from './state/poll-store.ts';
import { countUncredited } from './state/uncredited-store.ts';

/** Adds the gauges of what waits, was given up or grants nothing in payments. */
export function watchBilling({
  database,
  clock,
  metrics,
}: Pick<Deps, 'database' | 'clock' | 'metrics'>): void {
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
  metrics.addGauge(
    'parley_cancellations_late',
    'Cancellations that payment providers have not confirmed for an hour.',
    async () => (await readLateCancellations({ database, clock })).reduce((sum, { count }) => sum + count, 0),
  );
}
