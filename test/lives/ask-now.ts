import { reconcileAccount } from '#server/billing/reconciliation/reconcile-account.ts';
import { reconcileProvider } from '#server/billing/reconciliation/reconcile-provider.ts';
import { leaseDueUsers } from '#server/billing/state/account-store.ts';
import { leasePolls } from '#server/billing/state/poll-store.ts';
import { projectUser } from '#server/billing/state/project-user.ts';
import type { TestApp } from '../app.ts';

const LEASE_MS = 120_000;
const MAX_ROWS = 500;

/** Projects whom time has changed and asks the providers all that is due, as the jobs do in their turn. */
export async function askWhatIsDue({ deps, database }: TestApp): Promise<void> {
  const { sql } = database.database;
  await sql`delete from rate_limits where key like 'confirm:%'`;
  const users = await leaseDueUsers(sql, deps.clock.now(), LEASE_MS, MAX_ROWS);
  await Promise.all(users.map((userId) => projectUser(deps, userId)));
  const asked = Object.values(deps.providers).map(async ({ name }) => {
    const due = await leasePolls(sql, name, deps.clock.now(), LEASE_MS, MAX_ROWS);
    await Promise.all(due.map((poll) => reconcileAccount(deps, name, poll)));
  });
  await Promise.all(asked);
}

/** Reads the lists of charges as the jobs do every hour, those of the last two weeks. */
export async function readLists({ deps }: TestApp): Promise<void> {
  for (const provider of Object.values(deps.providers))
    await reconcileProvider(deps, provider, 'recent', { pauseMs: 0 });
}
