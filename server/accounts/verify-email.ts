import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { findEmail, verifyAddress } from './email-store.ts';
import { hashProof } from './hash-proof.ts';
import { findUsedProof, markProofUsed } from './proof-store.ts';

/** What a verification proves: that mail reaches a user at an address. */
export function subjectOf(userId: string, email: string): string {
  return `${userId} ${email}`;
}

/**
 * Verifies an address by the link of a mail, which is good once; nobody need be signed in. Throws `email_already_verified` where
 * the link has done so before, `email_link_invalid`.
 */
export async function verifyEmail(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  token: string,
): Promise<{ userId: string; email: string }> {
  const hash = hashProof(token);
  return database.sql.begin(async (tx) => {
    const subject = await markProofUsed(tx, 'verify-email', hash, clock.now());
    const [userId = '', email = ''] =
      (subject ?? (await findUsedProof(tx, 'verify-email', hash)))?.split(' ') ?? [];
    if (email === '') throw new AppError('email_link_invalid');
    if (subject !== null) {
      if (!(await verifyAddress(tx, userId, email))) throw new AppError('email_link_invalid');
      return { userId, email };
    }
    const user = await findEmail(tx, userId);
    throw new AppError(
      user?.verified && user.email === email ? 'email_already_verified' : 'email_link_invalid',
    );
  });
}
