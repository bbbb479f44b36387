import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type RateLimit, takeRateLimits, withDay } from '#server/platform/database/rate-limit.ts';
import { ATTEMPT_KEYS } from '../abuse/attempt-key-rules.ts';
import { verifyPassword } from '../secrets/hash-password.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { findPassword } from '../users/password-store.ts';

/** Who opens a link of a mail about the account of `userId`. */
export interface LinkOpening {
  userId: string;
  /** Where the mail went. */
  email: string;
  /** The hash of the link's proof: guesses count for the link, so that a caller without it cannot use them up. */
  hash: string;
  caller: Actor | null;
  password: string | undefined;
}

const PER_LINK: RateLimit = { max: 10, windowSeconds: 600 };
const PER_LINK_AND_DAY: RateLimit = { max: 50, windowSeconds: 86_400 };

/**
 * Makes sure that whoever opens the link of a mail is in the account as well: signed in to it, or with its password. A link alone
 * says that a person has the mailbox, not that they want the account. Returns the session; null: it was the password. Throws
 * `link_needs_account` with the address, `invalid_credentials` and `rate_limited` for a password.
 */
export async function requireOpener(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId, email, hash, caller, password }: LinkOpening,
): Promise<string | null> {
  if (caller?.userId === userId) return caller.sessionId;
  if (password === undefined) throw new AppError('link_needs_account', { email });
  const { sql } = deps.database;
  const at = deps.clock.databaseTime();
  const limits = withDay(ATTEMPT_KEYS.linkOpened(hash), PER_LINK, PER_LINK_AND_DAY);
  const seconds = await takeRateLimits(sql, limits, at);
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  const user = await findPassword(sql, userId);
  if (!(await verifyPassword(user?.hash ?? null, password, deps.config.hashing)))
    throw new AppError('invalid_credentials');
  return null;
}
