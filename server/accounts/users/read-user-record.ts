import type { UserRecord } from '#contract/accounts.ts';
import type { Subscription } from '#contract/billing.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { findUser } from './store.ts';

/** What domains right of this one know about a user. */
export interface UserFacts {
  readBalance(userId: string): Promise<number>;
  readSubscription(userId: string): Promise<Subscription | null>;
}

/** The user record of the specification, section 3. Throws `unauthenticated` when the account is gone. */
export async function readUserRecord(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  facts: UserFacts,
): Promise<UserRecord> {
  const [user, credits, subscription] = await Promise.all([
    findUser(database.sql, userId),
    facts.readBalance(userId),
    facts.readSubscription(userId),
  ]);
  if (!user) throw new AppError('unauthenticated');
  return {
    uid: user.id,
    email: user.email,
    displayName: user.displayName,
    photoURL: user.photoUrl,
    credits,
    subscription,
    createdAt: user.createdAt.getTime(),
    lastLoginAt: user.lastLoginAt.getTime(),
  };
}
