import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { type MailboxProof, proveMailbox } from '../email/prove-mailbox.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { changeCredential } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { findUserByEmail } from '../users/email-store.ts';
import { limitChanges, sendNotice } from '../users/send-notice.ts';
import type { GoogleProfile } from './google-client.ts';
import { countGoogleIdentities, insertGoogleIdentity } from './google-store.ts';

/** Most Google accounts that a user connects. */
const MAX_CONNECTED = 20;

/**
 * Makes a Google account a way in for the caller, whom a mail informs, and ends every other session. False: it has become one
 * meanwhile, of this user or of another. Throws `confirmation_required`, `rate_limited`, and `conflict` for one more than
 * MAX_CONNECTED.
 */
export async function linkIdentity(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  actor: Actor,
  { sub, email }: Pick<GoogleProfile, 'sub' | 'email'>,
): Promise<boolean> {
  const { userId } = actor;
  await requireConfirmed(deps, actor);
  await limitChanges(deps, userId);
  return changeCredential(deps, actor, async (tx) => {
    if ((await countGoogleIdentities(tx, userId)) >= MAX_CONNECTED) throw new AppError('conflict');
    const id = await insertGoogleIdentity(tx, { userId, sub, accountName: email, at: deps.clock.now() });
    if (id) await sendNotice(tx, deps, userId, 'google_connected', { account: email ?? '' }, id);
    return id !== null;
  });
}

/**
 * Makes a Google account a way into the account that has its address, whose mailbox it proves. Returns what ended; `publishAccessEnd`
 * after the commit. Throws where the account has another address by now.
 */
export async function linkByAddress(
  tx: Executor,
  deps: Pick<Deps, 'config' | 'clock'>,
  userId: string,
  { sub, email }: { sub: string; email: string },
): Promise<MailboxProof> {
  const proof = await proveMailbox(tx, deps, userId, { is: 'stranger' });
  // The account is locked from here on: who has the address now has it until the end.
  if ((await findUserByEmail(tx, email))?.id !== userId)
    throw new Error('the account has another address by now');
  const id = await insertGoogleIdentity(tx, { userId, sub, accountName: email, at: deps.clock.now() });
  if (id === null || proof.voided) return proof;
  await sendNotice(tx, deps, userId, 'google_connected', { account: email }, id);
  return proof;
}
