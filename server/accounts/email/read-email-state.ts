import type { EmailState } from '#contract/email.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { findEmail, findEmailChange } from '../users/email-store.ts';

/** The caller's address, and the change that is under way. */
export async function readEmailState(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId }: Actor,
): Promise<EmailState> {
  const [user, change] = await Promise.all([
    findEmail(database.sql, userId),
    findEmailChange(database.sql, userId, clock.now()),
  ]);
  if (!user) throw new AppError('unauthenticated');
  return {
    email: user.email,
    verified: user.verified,
    mail: config.mail !== null,
    change: change && {
      email: change.newEmail,
      expiresAt: change.expiresAt.getTime(),
      oldConfirmed: change.oldConfirmed,
      newConfirmed: change.newConfirmed,
    },
  };
}
