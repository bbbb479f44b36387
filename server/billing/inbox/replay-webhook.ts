import type { ProjectDeps } from '../state/project-user.ts';
import { leaseWebhook } from './inbox-store.ts';
import { processInbox } from './process-inbox.ts';

/** Longer than reading one webhook can take. */
const LEASE_MS = 90_000;

/** Reads a stored webhook again, whatever became of it before; what it reports takes effect once. False: there is none with this id. */
export async function replayWebhook(deps: ProjectDeps, inboxId: string): Promise<boolean> {
  const webhook = await leaseWebhook(
    deps.database.sql,
    inboxId,
    new Date(deps.clock.now().getTime() + LEASE_MS),
  );
  if (webhook) await processInbox(deps, webhook);
  return webhook !== null;
}
