import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { type RateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { hashEmail } from './normalise-email.ts';

/** Mails that anyone who opens accounts with an address has sent to it, in a day. */
const LIMITS = {
  verify_email: { max: 6, windowSeconds: 86_400 },
  account_deleted: { max: 3, windowSeconds: 86_400 },
  /** To the old address of a change, which nobody has proved. */
  email_change_old: { max: 6, windowSeconds: 86_400 },
  /** To the new address, by accounts that anyone opens. */
  email_change_new: { max: 6, windowSeconds: 86_400 },
  /** The same by accounts with a proved address, which those must not keep from it. */
  email_change_new_by_proved: { max: 20, windowSeconds: 86_400 },
} as const satisfies Record<string, RateLimit>;

/**
 * Counts one more such mail to the mailbox of `email`, by all accounts that have or had it: the count stays when they are deleted.
 * The seconds to wait; 0 while it may be sent.
 */
export async function limitMails(
  sql: Executor,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  what: keyof typeof LIMITS,
  email: string,
): Promise<number> {
  const mailbox = hashEmail(config.authSecret, email).toString('hex');
  return takeRateLimit(sql, `mail:${what}:${mailbox}`, LIMITS[what], clock.databaseTime());
}
