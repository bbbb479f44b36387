import { DAY_MS } from '#contract/time.ts';
import type { WantedMail } from '#server/platform/mail/mail-queue.ts';
import type { MailContent, MailLink } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { createProof } from '../secrets/hash-proof.ts';
import { insertMailedProof } from '../users/mailed-proof-store.ts';
import type { ComposeDeps } from './compose-account-mail.ts';

/** How long the link of a notice is good: it may be read after a holiday. */
const DISOWN_DAYS = 14;

/**
 * What a notice offers: first, to a user who did not do it, a link that takes the account back, for the way in that it names, then
 * the `place` to look at. Only the place where the account is gone or its mailbox is another one by now.
 */
export async function createDisownLink(
  { config, database, clock }: ComposeDeps,
  { params, to, language }: WantedMail,
  place: MailLink,
): Promise<Pick<MailContent, 'action' | 'other' | 'note'>> {
  const userId = 'userId' in params ? String(params.userId) : null;
  if (userId === null) return { action: place };
  const wayId = 'wayId' in params ? String(params.wayId) : null;
  const { token, hash } = createProof();
  const expiresAt = new Date(clock.now().getTime() + DISOWN_DAYS * DAY_MS);
  const proof = { kind: 'not-me', hash, userId, sentTo: to, wayId, expiresAt } as const;
  if (!(await insertMailedProof(database.sql, proof))) return { action: place };
  return {
    action: {
      label: translate(language, 'mail.disown.action'),
      url: `${config.publicUrl}/not-me#token=${token}`,
    },
    other: place,
    note: translate(language, 'mail.disown.note', { days: DISOWN_DAYS }),
  };
}
