import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { publishAccessEnd } from '../sessions/publish-access-end.ts';
import { findEmail } from '../users/email-store.ts';
import { findMailedProof, redeemMailedProof } from '../users/mailed-proof-store.ts';
import { type MailboxProof, type Prover, proveMailbox } from './prove-mailbox.ts';
import { requireOpener } from './require-opener.ts';

type VerifyDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

/** Whose mailbox a link proves, and which address that is. */
interface Verified {
  userId: string;
  email: string;
}

/** How a link comes in. */
export interface OpenedLink {
  token: string;
  /** The password of the account, where the opener of the link is not signed in to it. */
  password?: string | undefined;
}

/**
 * Verifies an address by the link of a mail, which is good once. It counts only from a person who is in the account, by the session
 * of `caller` or by the password: the address may be another person's, who opens the link without having opened the account. Throws
 * as `requireOpener`, `email_already_verified` where the link has done so before, `email_link_invalid`.
 */
export async function verifyEmail(
  deps: VerifyDeps,
  { token, password }: OpenedLink,
  caller: Actor | null,
): Promise<Verified> {
  const known = await findVerification(deps, token);
  const session = await requireOpener(deps, { ...known, hash: hashProof(token), caller, password });
  return redeem(deps, token, known, { is: 'opener', session });
}

/**
 * “This was not me”: whoever opens the link of a verification mail has the mailbox and did not open the account. Everything that its
 * opener left ends; a password reset makes the account theirs. Throws `email_already_verified`, `email_link_invalid`.
 */
export async function disownAccount(deps: VerifyDeps, token: string): Promise<Verified> {
  return redeem(deps, token, await findVerification(deps, token), { is: 'stranger' });
}

/** What a link that is still good proves. */
async function findVerification(deps: VerifyDeps, token: string): Promise<Verified> {
  const { sql } = deps.database;
  const proof = await findMailedProof(sql, 'verify-email', hashProof(token), deps.clock.now());
  if (!proof) throw await refusalOf(deps, sql, token);
  return { userId: proof.userId, email: proof.sentTo };
}

async function redeem(
  deps: VerifyDeps,
  token: string,
  { userId, email }: Verified,
  prover: Prover,
): Promise<Verified> {
  const { database, clock, bus } = deps;
  const proof: MailboxProof = await database.sql.begin(async (tx) => {
    const redeemed = await redeemMailedProof(tx, 'verify-email', hashProof(token), clock.now());
    if (!redeemed) throw await refusalOf(deps, tx, token);
    if (redeemed.user.emailVerified) throw new AppError('email_already_verified');
    return proveMailbox(tx, deps, userId, prover);
  });
  publishAccessEnd(bus, userId, proof);
  return { userId, email };
}

/** What to say of a link that is not good any more. */
async function refusalOf({ clock }: VerifyDeps, sql: Executor, token: string): Promise<AppError> {
  const used = await findMailedProof(sql, 'used-verify-email', hashProof(token), clock.now());
  const user = used && (await findEmail(sql, used.userId));
  return new AppError(user?.verified ? 'email_already_verified' : 'email_link_invalid');
}
