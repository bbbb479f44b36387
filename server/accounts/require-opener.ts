import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Actor } from './authenticate.ts';
import { verifyOwnPassword } from './verify-own-password.ts';

/** Who opens a link of a mail about the account of `userId`, and where. */
export interface LinkOpening {
  userId: string;
  /** Where the mail went. */
  email: string;
  caller: Actor | null;
  password: string | undefined;
}

/**
 * Makes sure that whoever opens the link of a mail is in the account as well: signed in to it, or with its password. A link alone
 * says that somebody has the mailbox, not that they want the account. Returns the session; null: it was the password. Throws
 * `link_needs_account` with the address, `invalid_credentials` and `rate_limited` for a password.
 */
export async function requireOpener(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId, email, caller, password }: LinkOpening,
): Promise<string | null> {
  if (caller?.userId === userId) return caller.sessionId;
  if (password === undefined) throw new AppError('link_needs_account', { email });
  await verifyOwnPassword(deps, { userId, guesser: `link:${userId}` }, password);
  return null;
}
