import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { endOtherAccess } from '../sessions/change-credential.ts';
import type { AccessEnd } from '../sessions/publish-access-end.ts';
import { deleteOtherSessions } from '../sessions/session-store.ts';
import {
  deleteCredentials,
  deleteEntryLinks,
  deleteLinks,
  deletePending,
  deleteTrust,
  deleteWays,
  lockUser,
  revokeKeys,
} from '../users/access-store.ts';
import { markVerified } from '../users/email-store.ts';
import { sendNotice } from '../users/send-notice.ts';

/**
 * By whom a mailbox was proved. `stranger`: all that is known is that the mailbox is theirs (a reset, Google, “this was not me”).
 * `opener`: they are in the account as well, by `session` or, where that is null, by its password.
 */
export type Prover = { is: 'stranger' } | { is: 'opener'; session: string | null };

/** What ended with it; `voided`: there was an unproved opener, all of whose ways in are gone. */
export interface MailboxProof extends AccessEnd {
  voided: boolean;
}

const NOTHING: MailboxProof = { sessions: [], keys: [], voided: false };

/**
 * The mailbox of a user's address was proved: it is verified from now on. The first time, everything that an unproved opener left
 * on the account ends in this transaction: whoever opened it may be a stranger who waited. That is every session, password,
 * passkey, second factor, linked identity, API key, link and change of address; but of an opener who proves the mailbox in person
 * only other sessions, links and what is pending. Throws `unauthenticated` where the account is gone.
 */
export async function proveMailbox(
  tx: Executor,
  deps: Pick<Deps, 'config' | 'clock'>,
  userId: string,
  prover: Prover,
): Promise<MailboxProof> {
  const user = await lockUser(tx, userId);
  if (!user) throw new AppError('unauthenticated');
  if (user.emailVerified) return NOTHING;
  const at = deps.clock.databaseTime();
  await markVerified(tx, userId, prover.is === 'stranger' ? { at } : null);
  if (prover.is === 'opener') return { ...NOTHING, sessions: await endForOpener(tx, userId, prover.session) };
  await deleteCredentials(tx, userId);
  await deletePending(tx, userId);
  await deleteLinks(tx, userId);
  await deleteOtherSessions(tx, userId, null);
  const keys = await revokeKeys(tx, userId, at);
  await sendNotice(tx, deps, userId, 'access_voided');
  return { sessions: null, keys, voided: true };
}

/**
 * The owner of the proved mailbox takes the account back: ends the ways in of those ids, and every session. That is every session,
 * sign-in under way, trusted browser, link that leads in, and a change of address; `publishAccessEnd` after the commit. A second
 * factor stays, and so do the links of notices: the owner may need another one. To be called after `proveMailbox`.
 */
export async function takeAccountBack(
  tx: Executor,
  { clock }: Pick<Deps, 'clock'>,
  userId: string,
  wayIds: string[],
): Promise<AccessEnd> {
  await deletePending(tx, userId);
  await deleteEntryLinks(tx, userId);
  await deleteTrust(tx, userId);
  await deleteOtherSessions(tx, userId, null);
  return { sessions: null, keys: await deleteWays(tx, userId, wayIds, clock.databaseTime()) };
}

/** A user who typed the password instead sits at another device, often the phone with the mail: the one that signed up stays. */
async function endForOpener(tx: Executor, userId: string, session: string | null): Promise<string[]> {
  return session === null ? [] : endOtherAccess(tx, userId, session);
}
