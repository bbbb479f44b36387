import { createHash, randomBytes } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import type { ComposeMail, WantedMail } from '#server/platform/mail-queue.ts';
import type { MailContent } from '#server/platform/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { findUserByEmail, insertResetToken } from './verification-store.ts';

type ComposeDeps = Pick<Deps, 'config' | 'database' | 'clock'>;

/** How long the link of a reset mail is good. */
const RESET_MINUTES = 60;

/** Who composes the mails about an account, by template. */
export function composeAccountMail(deps: ComposeDeps): Record<string, ComposeMail> {
  return {
    password_reset: (mail) => composePasswordReset(deps, mail),
    password_changed: async (mail) => ({
      ...textsOf(mail, 'mail.passwordChanged.subject', 'mail.passwordChanged.text'),
      note: translate(mail.language, 'mail.passwordChanged.note'),
    }),
  };
}

/** How a one-time proof is kept: whoever reads the table cannot use it. */
export function hashProof(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Makes the link only now: until here nothing tells whether anybody has the address. */
async function composePasswordReset(
  { config, database, clock }: ComposeDeps,
  mail: WantedMail,
): Promise<MailContent | null> {
  const user = await findUserByEmail(database.sql, mail.to);
  if (!user) return null;
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(clock.now().getTime() + RESET_MINUTES * 60_000);
  await insertResetToken(database.sql, { userId: user.id, tokenHash: hashProof(token), expiresAt });
  return {
    ...textsOf(mail, 'mail.passwordReset.subject', 'mail.passwordReset.text'),
    // After the #, so that it reaches no log and no other site.
    action: {
      label: translate(mail.language, 'mail.passwordReset.action'),
      url: `${config.publicUrl}/reset-password#token=${token}`,
    },
    note: translate(mail.language, 'mail.passwordReset.note', { minutes: RESET_MINUTES }),
  };
}

function textsOf({ language, params, to }: WantedMail, subject: string, text: string): MailContent {
  const values = { ...params, email: to };
  return {
    subject: translate(language, subject, values),
    paragraphs: translate(language, text, values).split('\n'),
  };
}
