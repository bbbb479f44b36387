import type { Language } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { type RateLimit, takeRateLimits } from '#server/platform/database/rate-limit.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueueMail } from '#server/platform/mail/mail-queue.ts';
import { limitMails } from '../abuse/limit-mails.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { findEmail } from '../users/email-store.ts';

const PER_USER: RateLimit = { max: 3, windowSeconds: 900 };
const PER_NETWORK: RateLimit = { max: 20, windowSeconds: 3600 };

/**
 * Sends the link that verifies the caller's address once more. Throws `email_already_verified`, `rate_limited`,
 * `not_configured` where no mail is sent.
 */
export async function requestVerification(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId }: Actor,
  ip: string,
): Promise<void> {
  const { config, database, clock } = deps;
  if (config.mail === null) throw new AppError('not_configured', { setting: 'SMTP_URL' });
  const user = await findEmail(database.sql, userId);
  if (!user) throw new AppError('unauthenticated');
  if (user.verified) throw new AppError('email_already_verified');
  const limits = [
    [`verify-email:${networkOf(ip)}`, PER_NETWORK],
    [`verify-email:${userId}`, PER_USER],
  ] as const;
  const seconds = await takeRateLimits(database.sql, limits, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  const wait = await sendVerification(database.sql, deps, userId, user);
  if (wait > 0) throw new AppError('rate_limited', { seconds: wait });
}

/** Has the link that verifies an address sent to it, unless its mailbox was sent too many: the seconds to wait then, else 0. */
export async function sendVerification(
  sql: Executor,
  deps: Pick<Deps, 'config' | 'clock'>,
  userId: string,
  { email, language }: { email: string; language: Language },
): Promise<number> {
  const wait = await limitMails(sql, deps, 'verify_email', email);
  if (wait > 0) return wait;
  await enqueueMail(sql, deps, {
    key: `verify_email:${newId()}`,
    template: 'verify_email',
    to: email,
    language,
    params: { userId },
  });
  return 0;
}
