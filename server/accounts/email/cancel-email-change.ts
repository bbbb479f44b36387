import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { consumeProof } from '../secrets/proof-store.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { deleteEmailChange, findEmailChange } from '../users/email-store.ts';
import { readLink } from './confirm-email-change.ts';

type CancelDeps = Pick<Deps, 'database' | 'clock'>;

/** Takes back the caller's address change; nothing happens where there is none. */
export async function cancelEmailChange({ database, clock }: CancelDeps, { userId }: Actor): Promise<void> {
  const change = await findEmailChange(database.sql, userId, clock.now());
  if (change) await deleteEmailChange(database.sql, change.id);
}

/** “This was not me”: voids an address change by the link to the old address that says so, or by that of the new one. Throws `email_link_invalid`. */
export async function stopEmailChange({ database, clock }: CancelDeps, token: string): Promise<void> {
  await database.sql.begin(async (tx) => {
    const proof = await consumeProof(
      tx,
      ['email-change-stop', 'email-change-new'],
      hashProof(token),
      clock.now(),
    );
    const link = proof && readLink(proof);
    if (!link || !(await deleteEmailChange(tx, link.changeId))) throw new AppError('email_link_invalid');
  });
}
