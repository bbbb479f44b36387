import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { clearRateLimits, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { ATTEMPT_KEYS, keysAt } from '../abuse/attempt-key-rules.ts';
import { findEmail } from '../users/email-store.ts';

/** A reader of the mail without the second factor must not get endless guesses of codes by resetting. */
const CODES_FORGOTTEN = { max: 1, windowSeconds: 86_400 };

/**
 * Deletes the counts by which guesses of others lock an account, after its owner has proved the mailbox by a reset: tries to sign in,
 * mails asked for, and once a day codes typed by strangers. Called inside the transaction of the reset.
 */
export async function clearGuesses(
  tx: Executor,
  { clock }: Pick<Deps, 'clock'>,
  userId: string,
): Promise<void> {
  const user = await findEmail(tx, userId);
  if (!user) return;
  for (const key of keysAt(user.email)) await clearRateLimits(tx, key);
  const key = ATTEMPT_KEYS.codesForgotten(userId);
  if ((await takeRateLimit(tx, key, CODES_FORGOTTEN, clock.databaseTime())) === 0)
    await clearRateLimits(tx, ATTEMPT_KEYS.codeOfStrangers(userId));
}
