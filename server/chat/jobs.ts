import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { shareRead } from '#server/platform/metrics.ts';
import { deleteOldConversations } from './conversations/delete-old-conversations.ts';
import { countHolds } from './generation/run-store.ts';
import { startIndexing } from './search/index-messages.ts';

/** Indexes texts for search, deletes the data of deleted and temporary conversations, and counts what runs. */
export function startChatJobs(deps: Deps, jobs: Jobs): void {
  addGauges(deps);
  startIndexing(deps, jobs);
  jobs.repeat('deleting old conversations', MINUTE_MS, () => deleteOldConversations(deps));
}

function addGauges({ database, clock, generation, metrics }: Deps): void {
  metrics.addGauge(
    'parley_running_answers',
    'Answers that this process generates now.',
    () => generation.size,
  );
  const holds = shareRead(() => countHolds(database.sql, clock.now()));
  metrics.addGauge(
    'parley_holds',
    'Messages of all processes that are being answered, for which credits are held.',
    async () => (await holds()).count,
  );
  metrics.addGauge(
    'parley_held_credits',
    'Credits that are held for messages that are being answered.',
    async () => (await holds()).credits,
  );
  metrics.addGauge(
    'parley_holds_oldest_seconds',
    'Seconds since the oldest message that is being answered was sent.',
    async () => (await holds()).oldest,
  );
}
