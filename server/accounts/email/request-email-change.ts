import { z } from 'zod';
import type { ChangeEmail } from '#contract/email.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import { type RateLimit, takeRateLimits } from '#server/platform/database/rate-limit.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueueMail } from '#server/platform/mail/mail-queue.ts';
import { limitMails } from '../abuse/limit-mails.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { lockOwnAccount } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { findEmail, replaceEmailChange } from '../users/email-store.ts';

const PER_USER: RateLimit = { max: 5, windowSeconds: 3600 };
const PER_NETWORK: RateLimit = { max: 20, windowSeconds: 3600 };
const GOOD_MS = DAY_MS;

/**
 * Asks both addresses to confirm that the caller's is to become another one, within a day; a former request is void then.
 * Neither the answer nor its time shows whether another user has the address. Mails to the new address are bounded where they are
 * composed, so that no stranger’s request refuses the owner’s; those to the old one, while nobody has proved it, are counted for its
 * mailbox here. Throws `confirmation_required`, `email_invalid`, `email_same`, `rate_limited`, `not_configured`.
 */
export async function requestEmailChange(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  actor: Actor,
  input: ChangeEmail,
  ip: string,
): Promise<void> {
  const { config, database, clock } = deps;
  if (config.mail === null) throw new AppError('not_configured', { setting: 'SMTP_URL' });
  await requireConfirmed(deps, actor);
  const newEmail = input.email.trim().toLowerCase();
  if (!z.email().max(254).safeParse(newEmail).success) throw new AppError('email_invalid');
  const { userId } = actor;
  const user = await findEmail(database.sql, userId);
  if (!user) throw new AppError('unauthenticated');
  if (user.email === newEmail) throw new AppError('email_same');
  const limits = [
    [`email-change:${networkOf(ip)}`, PER_NETWORK],
    [`email-change:${userId}`, PER_USER],
  ] as const;
  const seconds = await takeRateLimits(database.sql, limits, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  const wait = user.verified ? 0 : await limitMails(database.sql, deps, 'email_change_old', user.email);
  if (wait > 0) throw new AppError('rate_limited', { seconds: wait });
  const id = newId();
  const expiresAt = new Date(clock.now().getTime() + GOOD_MS);
  await database.sql.begin(async (tx) => {
    await lockOwnAccount(tx, actor);
    await replaceEmailChange(tx, { id, userId, newEmail, expiresAt });
    const mail = { language: user.language, params: { changeId: id } };
    await enqueueMail(tx, deps, {
      ...mail,
      key: `email_change_old:${id}`,
      template: 'email_change_old',
      to: user.email,
    });
    await enqueueMail(tx, deps, {
      ...mail,
      key: `email_change_new:${id}`,
      template: 'email_change_new',
      to: newEmail,
      userId,
    });
  });
}
