import type { WantedMail } from '#server/platform/mail/mail-queue.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { createProof } from '../secrets/hash-proof.ts';
import { findUserByEmail } from '../users/email-store.ts';
import { insertMailedProof } from '../users/mailed-proof-store.ts';
import type { ComposeDeps } from './compose-account-mail.ts';

/** How long the link of a reset mail is good. */
const RESET_MINUTES = 60;

/** Makes the link only now: until here nothing reveals whether a user has the address. */
export async function composePasswordReset(
  { config, database, clock }: ComposeDeps,
  mail: WantedMail,
): Promise<MailContent | null> {
  const user = await findUserByEmail(database.sql, mail.to);
  if (!user) return null;
  const { token, hash } = createProof();
  const expiresAt = new Date(clock.now().getTime() + RESET_MINUTES * 60_000);
  const proof = {
    kind: 'reset-password',
    hash,
    userId: user.id,
    sentTo: mail.to,
    wayId: null,
    expiresAt,
  } as const;
  if (!(await insertMailedProof(database.sql, proof))) return null;
  return {
    ...mailTexts(mail, 'mail.passwordReset.subject', 'mail.passwordReset.text'),
    // After the #, so that it reaches no log and no other site.
    action: {
      label: translate(mail.language, 'mail.passwordReset.action'),
      url: `${config.publicUrl}/reset-password#token=${token}`,
    },
    note: translate(mail.language, 'mail.passwordReset.note', { minutes: RESET_MINUTES }),
  };
}
