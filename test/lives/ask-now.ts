import { reconcileAccount } from '#server/billing/reconcile-account.ts';
import { reconcileProvider } from '#server/billing/reconcile-provider.ts';
import type { TestApp } from '../app.ts';

/** Asks about some users all that is open now, as the jobs do in their turn. */
export async function askAbout({ deps, database }: TestApp, userIds: readonly string[]): Promise<void> {
  await database.database.sql`delete from rate_limits where key like 'confirm:%'`;
  await Promise.all(userIds.map((userId) => reconcileAccount(deps, userId, 0)));
}

/** Looks at everything now, as the jobs do once a day. */
export async function lookAtEverything({ deps }: TestApp): Promise<void> {
  await Promise.all(Object.values(deps.providers).map((provider) => reconcileProvider(deps, provider)));
}
