import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { clearRateLimits, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { strangersKey } from '../abuse/limit-codes.ts';
import { findEmail } from '../users/email-store.ts';

/** A reader of the mail without the second factor must not get endless guesses of codes by resetting. */
const CODES_FORGOTTEN = { max: 1, windowSeconds: 86_400 };

/**
 * Lifts what others' guesses closed, after the owner has proved the mailbox by a reset: attempts to sign in, mails asked for, and once
 * a day codes typed by strangers. Inside the transaction of what proved it.
 */
export async function clearGuesses(
  tx: Executor,
  { clock }: Pick<Deps, 'clock'>,
  userId: string,
): Promise<void> {
  const user = await findEmail(tx, userId);
  if (!user) return;
  for (const what of ['sign-in', 'captcha', 'reset', 'sign-in-link'])
    await clearRateLimits(tx, `${what}:${user.email}`);
  const key = `code:${userId}:forgotten`;
  if ((await takeRateLimit(tx, key, CODES_FORGOTTEN, clock.databaseTime())) === 0)
    await clearRateLimits(tx, strangersKey(userId));
}
