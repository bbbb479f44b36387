import type { Subscription } from '#contract/billing.ts';
import type { Tier } from '#contract/catalogue.ts';
import { tierOf } from '#server/catalogue/rules.ts';
import type { Deps } from '#server/deps.ts';
import { presentSubscription } from './present.ts';
import { findSubscription } from './store.ts';

/** The user's subscription, usable or not (`tierOf` says); null for a user who never had one. */
export async function readSubscription(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
): Promise<Subscription | null> {
  const row = await findSubscription(database.sql, userId);
  return row && presentSubscription(row, clock.now());
}

/** The tier the user is on now. */
export async function readTier(deps: Pick<Deps, 'database' | 'clock'>, userId: string): Promise<Tier> {
  return tierOf(await readSubscription(deps, userId), deps.clock.now().getTime());
}
