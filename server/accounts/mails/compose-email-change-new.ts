import { brandName } from '#contract/brand.ts';
import { type RateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import type { TriedMail } from '#server/platform/mail/mail-queue.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { limitMails } from '../abuse/limit-mails.ts';
import { newAddressSubject } from '../email/confirm-email-change.ts';
import { findChangeToTell, findUserByEmail } from '../users/email-store.ts';
import type { ComposeDeps } from './compose-account-mail.ts';
import { CHANGE_HOURS, createChangeLink } from './create-change-link.ts';

/** Most mails about a change to one address, over all users; those of a day are counted for its mailbox. */
const PER_ADDRESS: RateLimit = { max: 3, windowSeconds: 900 };

/**
 * To the new address: the link that proves that mail reaches it; or, where another user has it, that it was asked for. No more of them
 * than there may be: the links that went out before prove the same, and are good for longer. Each counts once, however often it is tried.
 */
export async function composeEmailChangeNew(deps: ComposeDeps, mail: TriedMail): Promise<MailContent | null> {
  const { config, database, clock } = deps;
  const id = String(mail.params.changeId);
  const change = await findChangeToTell(database.sql, id, clock.now());
  if (!change || change.newEmail !== mail.to) return null;
  if (mail.tries <= 1 && (await isTooMany(deps, mail.to, change.oldVerified))) return null;
  const { language } = mail;
  const brand = brandName(config.brand, language);
  if (await findUserByEmail(database.sql, mail.to)) {
    return {
      ...mailTexts(mail, 'mail.emailTaken.subject', 'mail.emailTaken.text', { brand }),
      note: translate(language, 'mail.emailTaken.note'),
    };
  }
  return {
    ...mailTexts(mail, 'mail.emailChangeNew.subject', 'mail.emailChangeNew.text', { brand }),
    action: {
      label: translate(language, 'mail.emailChangeNew.action'),
      url: await createChangeLink(deps, 'email-change-new', newAddressSubject(id, mail.to), 'token'),
    },
    note: translate(language, 'mail.emailChangeNew.note', { hours: CHANGE_HOURS }),
  };
}

async function isTooMany(deps: ComposeDeps, to: string, isByProved: boolean): Promise<boolean> {
  const { sql } = deps.database;
  const at = deps.clock.databaseTime();
  if ((await takeRateLimit(sql, `email-change:${to}`, PER_ADDRESS, at)) > 0) return true;
  const what = isByProved ? 'email_change_new_by_proved' : 'email_change_new';
  return (await limitMails(sql, deps, what, to)) > 0;
}
