import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { consumeProof, findProof } from '../secrets/proof-store.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { lockUser } from '../users/access-store.ts';
import { deleteEmailChange, findChangeToTell, findEmailChange } from '../users/email-store.ts';
import { readLink } from './confirm-email-change.ts';

type CancelDeps = Pick<Deps, 'database' | 'clock'>;

/** The links that stop a change. */
const STOPPING = ['email-change-stop', 'email-change-new'] as const;

/** Takes back the caller's address change; nothing happens where there is none. */
export async function cancelEmailChange({ database, clock }: CancelDeps, { userId }: Actor): Promise<void> {
  const change = await findEmailChange(database.sql, userId, clock.now());
  if (change) await deleteEmailChange(database.sql, change.id);
}

/**
 * “This was not me”: voids an address change by the link to the old address that says so, or by that of the new one. Throws
 * `email_link_invalid`.
 */
export async function stopEmailChange({ database, clock }: CancelDeps, token: string): Promise<void> {
  const at = clock.now();
  const hash = hashProof(token);
  await database.sql.begin(async (tx) => {
    const known = await findProof(tx, STOPPING, hash, at);
    const change = known && (await findChangeToTell(tx, readLink(known).changeId, at));
    const user = change && (await lockUser(tx, change.userId));
    const proof = user && (await consumeProof(tx, STOPPING, hash, at));
    if (!proof || !(await deleteEmailChange(tx, readLink(proof).changeId)))
      throw new AppError('email_link_invalid');
  });
}
