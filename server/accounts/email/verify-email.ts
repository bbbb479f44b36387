import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { findProof, findUsedProof, markProofUsed } from '../secrets/proof-store.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { publishAccessEnd } from '../sessions/publish-access-end.ts';
import { lockUser } from '../users/access-store.ts';
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
  /** Of the account, where whoever opened the link is not signed in to it. */
  password?: string | undefined;
}

/** What a verification proves: that mail reaches a user at an address. */
export function subjectOf(userId: string, email: string): string {
  return `${userId} ${email}`;
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
async function findVerification({ database, clock }: VerifyDeps, token: string): Promise<Verified> {
  const hash = hashProof(token);
  const subject = await findProof(database.sql, ['verify-email'], hash, clock.now());
  if (subject) return readSubject(subject.subject);
  throw await refusalOf(database.sql, hash);
}

async function redeem(
  deps: VerifyDeps,
  token: string,
  { userId, email }: Verified,
  prover: Prover,
): Promise<Verified> {
  const { database, clock, bus } = deps;
  const hash = hashProof(token);
  const proof: MailboxProof = await database.sql.begin(async (tx) => {
    const user = await lockUser(tx, userId);
    if ((await markProofUsed(tx, 'verify-email', hash, clock.now())) === null)
      throw await refusalOf(tx, hash);
    if (user?.email !== email) throw new AppError('email_link_invalid');
    if (user.emailVerified) throw new AppError('email_already_verified');
    return proveMailbox(tx, deps, userId, prover);
  });
  publishAccessEnd(bus, userId, proof);
  return { userId, email };
}

/** What to say of a link that is not good any more. */
async function refusalOf(sql: Executor, hash: string): Promise<AppError> {
  const used = await findUsedProof(sql, 'verify-email', hash);
  if (used === null) return new AppError('email_link_invalid');
  const { userId, email } = readSubject(used);
  const [user] = await sql`select from users where id = ${userId} and email = ${email} and email_verified`;
  return new AppError(user ? 'email_already_verified' : 'email_link_invalid');
}

function readSubject(subject: string): Verified {
  const [userId = '', email = ''] = subject.split(' ');
  return { userId, email };
}
