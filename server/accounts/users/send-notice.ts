import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { type RateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueueMail, type MailParams } from '#server/platform/mail/mail-queue.ts';
import { findEmail } from './email-store.ts';
import { findMailLimitKey } from './store.ts';

/** More than anyone changes. */
const CHANGES_PER_DAY: RateLimit = { max: 60, windowSeconds: 86_400 };
/** Not too many for the mailbox of a person who never opened the account. */
const NOTICES_PER_DAY: RateLimit = { max: 60, windowSeconds: 86_400 };

/** What a notice names in the words of whoever is in the account, who may be a stranger to the reader. */
const OWN_WORDS = ['name', 'account'];

/** Mails to a user about the ways to sign in, so that a stranger's change does not stay unseen. */
export type Notice =
  | 'second_factor_on'
  | 'second_factor_moved'
  | 'second_factor_off'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_renewed'
  | 'api_key_created'
  | 'api_key_changed'
  | 'google_connected'
  | 'google_disconnected'
  | 'access_voided'
  | 'password_set'
  | 'password_changed'
  | 'password_reset_done';

/**
 * Queues a notice to the user in the transaction of the change; `wayId` is what “this was not me” removes. A mailbox that nobody has
 * proved has so many of them a day, from all accounts that have it; one more is withheld, and the change is made all the same. It is
 * told no name that the user gave: whoever opened the account would write to it through us.
 */
export async function sendNotice(
  tx: Executor,
  deps: Pick<Deps, 'config' | 'clock'>,
  userId: string,
  template: Notice,
  params: MailParams = {},
  wayId?: string,
): Promise<void> {
  const user = await findEmail(tx, userId);
  if (!user) return;
  const { email, language, verified } = user;
  if (!verified && (await isMailboxFull(tx, deps, userId))) return;
  await enqueueMail(tx, deps, {
    key: `${template}:${newId()}`,
    template,
    to: email,
    language,
    params: { ...(verified ? params : withoutNames(params)), userId, ...(wayId ? { wayId } : {}) },
  });
}

function withoutNames(params: MailParams): MailParams {
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [key, OWN_WORDS.includes(key) ? '…' : value]),
  );
}

async function isMailboxFull(tx: Executor, { clock }: Pick<Deps, 'clock'>, userId: string): Promise<boolean> {
  const key = `notices:${await findMailLimitKey(tx, userId)}`;
  return (await takeRateLimit(tx, key, NOTICES_PER_DAY, clock.databaseTime())) > 0;
}

/**
 * Counts one more way in that a user adds or changes: each is a mail, and new recovery codes are ten slow hashes. What ends a way in
 * is not counted. Each user counts alone, so that no stranger with another spelling of the address uses that up. Throws `rate_limited`.
 */
export async function limitChanges(
  { database: { sql }, clock }: Pick<Deps, 'clock'> & { database: { sql: Executor } },
  userId: string,
): Promise<void> {
  const seconds = await takeRateLimit(sql, `changes:${userId}`, CHANGES_PER_DAY, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
}
