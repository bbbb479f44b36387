import { DAY_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { DEVICE_COOKIE_DAYS } from './devices/record-trusted-browser.ts';
import { deleteOldTrustedBrowsers } from './devices/trusted-browser-store.ts';
import { sessionLife } from './sessions/session-rules.ts';
import { deleteExpiredSessions } from './sessions/session-store.ts';
import { deleteExpiredSecondSteps } from './sign-in/second-step-store.ts';
import { deleteExpiredProofs } from './users/store.ts';

/** Deletes sessions and one-time proofs that are over, and browsers whose cookie is over: they cannot be used any more. */
export async function deleteExpiredAccess({
  config,
  database,
  clock,
}: Pick<Deps, 'config' | 'database' | 'clock'>): Promise<void> {
  await deleteExpiredSessions(database.sql, sessionLife(config), clock.databaseTime());
  await deleteExpiredProofs(database.sql, clock.databaseTime());
  await deleteExpiredSecondSteps(database.sql, clock.now());
  const before = new Date(clock.now().getTime() - DEVICE_COOKIE_DAYS * DAY_MS);
  await deleteOldTrustedBrowsers(database.sql, before);
}
