import { brandName } from '#contract/brand.ts';
import type { WantedMail } from '#server/platform/mail/mail-queue.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { createProof } from '../secrets/hash-proof.ts';
import { findUserByEmail } from '../users/email-store.ts';
import { insertMailedProof } from '../users/mailed-proof-store.ts';
import type { ComposeDeps } from './compose-account-mail.ts';

const GOOD_MINUTES = 60;

/** The link by which a browser may go on signing in; made only now: until here nothing reveals whether a user has the address. */
export async function composeSignInLink(
  { config, database, clock }: ComposeDeps,
  mail: WantedMail,
): Promise<MailContent | null> {
  const user = await findUserByEmail(database.sql, mail.to);
  if (!user) return null;
  const { token, hash } = createProof();
  const expiresAt = new Date(clock.now().getTime() + GOOD_MINUTES * 60_000);
  const proof = {
    kind: 'sign-in-link',
    hash,
    userId: user.id,
    sentTo: mail.to,
    wayId: null,
    expiresAt,
  } as const;
  if (!(await insertMailedProof(database.sql, proof))) return null;
  const brand = brandName(config.brand, mail.language);
  return {
    ...mailTexts(mail, 'mail.signInLink.subject', 'mail.signInLink.text', { brand }),
    action: {
      label: translate(mail.language, 'mail.signInLink.action'),
      url: `${config.publicUrl}/sign-in-link#token=${token}`,
    },
    note: translate(mail.language, 'mail.signInLink.note', { minutes: GOOD_MINUTES }),
  };
}
