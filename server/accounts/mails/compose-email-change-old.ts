import { brandName } from '#contract/brand.ts';
import type { WantedMail } from '#server/platform/mail/mail-queue.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { findChangeToTell } from '../users/email-store.ts';
import type { ComposeDeps } from './compose-account-mail.ts';
import { CHANGE_HOURS, createChangeLink } from './create-change-link.ts';

/** To the old address: the link that agrees, and the one that says this was not me. */
export async function composeEmailChangeOld(
  deps: ComposeDeps,
  mail: WantedMail,
): Promise<MailContent | null> {
  const { config, database, clock } = deps;
  const id = String(mail.params.changeId);
  const change = await findChangeToTell(database.sql, id, clock.now());
  if (!change || change.oldEmail !== mail.to) return null;
  const confirm = await createChangeLink(deps, 'email-change-old', id, 'token');
  const stop = await createChangeLink(deps, 'email-change-stop', id, 'stop');
  const { language } = mail;
  return {
    ...mailTexts(mail, 'mail.emailChangeOld.subject', 'mail.emailChangeOld.text', {
      newEmail: change.newEmail,
      brand: brandName(config.brand, language),
    }),
    action: { label: translate(language, 'mail.emailChangeOld.action'), url: confirm },
    other: { label: translate(language, 'mail.emailChangeOld.stop'), url: stop },
    note: translate(language, 'mail.emailChangeOld.note', { hours: CHANGE_HOURS }),
  };
}
