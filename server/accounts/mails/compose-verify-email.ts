import { brandName } from '#contract/brand.ts';
import { HOUR_MS } from '#contract/time.ts';
import type { WantedMail } from '#server/platform/mail/mail-queue.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { createProof } from '../secrets/hash-proof.ts';
import { findEmail } from '../users/email-store.ts';
import { insertMailedProof } from '../users/mailed-proof-store.ts';
import type { ComposeDeps } from './compose-account-mail.ts';

const GOOD_HOURS = 24;

/** The link that verifies an address; not wanted where that is done, or where the address is another one by now. */
export async function composeVerifyEmail(
  { config, database, clock }: ComposeDeps,
  mail: WantedMail,
): Promise<MailContent | null> {
  const userId = String(mail.params.userId);
  const user = await findEmail(database.sql, userId);
  if (!user || user.verified) return null;
  const { token, hash } = createProof();
  const expiresAt = new Date(clock.now().getTime() + GOOD_HOURS * HOUR_MS);
  const proof = { kind: 'verify-email', hash, userId, sentTo: mail.to, wayId: null, expiresAt } as const;
  if (!(await insertMailedProof(database.sql, proof))) return null;
  const brand = brandName(config.brand, mail.language);
  return {
    ...mailTexts(mail, 'mail.verifyEmail.subject', 'mail.verifyEmail.text', { brand }),
    action: {
      label: translate(mail.language, 'mail.verifyEmail.action'),
      url: `${config.publicUrl}/verify-email#token=${token}`,
    },
    note: translate(mail.language, 'mail.verifyEmail.note', { hours: GOOD_HOURS, brand }),
  };
}
