import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { deleteOldConversations } from './conversations/delete-old-conversations.ts';
import { startIndexing } from './search/index-messages.ts';

const MINUTE_MS = 60_000;

/** Indexes texts for search, and removes conversations that were deleted. */
export function startChatJobs(deps: Deps, jobs: Jobs): void {
  startIndexing(deps, jobs);
  jobs.repeat('removing deleted conversations', MINUTE_MS, () => deleteOldConversations(deps));
}
