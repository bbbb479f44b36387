import { readRecipient } from '#server/accounts/users/read-recipient.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { enqueueMail } from '#server/platform/mail/mail-queue.ts';
import { listBillingMails, nextMailAt, type Standing } from '../projection/list-billing-mails.ts';
import { projectWish } from '../projection/project-wish.ts';
import { selectEndings } from './cancellation-store.ts';
import { findWish } from './plan-wish-store.ts';
import { type Billing, listGranting } from './read-billing.ts';

type MailDeps = Pick<Deps, 'clock' | 'config'>;

/**
 * Queues mails to the user about changes of the purchases, inside the transaction that writes them; each event once.
 * Returns when time alone makes the next mail due; null where none is, or where no mail is sent.
 */
export async function requestBillingMails(
  deps: MailDeps,
  tx: Executor,
  userId: string,
  billing: Billing,
  wasActive: boolean,
): Promise<Date | null> {
  if (deps.config.mail === null) return null;
  const standing = await readStanding(deps, tx, userId, billing);
  const mails = listBillingMails(standing, userId, wasActive);
  const user = mails.length > 0 ? await readRecipient(tx, userId) : null;
  if (user) {
    for (const mail of mails)
      await enqueueMail(tx, deps, { ...mail, to: user.email, language: user.language });
  }
  const next = nextMailAt(standing);
  return next === null ? null : new Date(next);
}

/** The data that the mails about a user's purchases are derived from. */
export async function readStanding(
  { clock }: Pick<Deps, 'clock'>,
  sql: Executor,
  userId: string,
  billing: Billing,
): Promise<Standing> {
  const { snapshot, endings: earlier, paid, projection } = billing;
  // Those of before too: one that was confirmed since is in no later reading, and its fact may not be in `snapshot`.
  const endings = new Map([...earlier, ...(await selectEndings(sql, userId))]);
  const now = clock.now().getTime();
  const wish = projectWish(await findWish(sql, userId), projection.subscriptions, endings, now);
  const granting = listGranting(billing);
  return { snapshot, subscriptions: projection.subscriptions, paid, granting, endings, wish, now };
}
