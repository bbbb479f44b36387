import type { ConfirmedEmail } from '#contract/email.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { lockUser } from './access-store.ts';
import { applyEmailChange } from './apply-email-change.ts';
import type { Actor } from './authenticate.ts';
import { confirmSide, findChangeToTell } from './email-store.ts';
import { hashProof } from './hash-proof.ts';
import { consumeProof, findProof } from './proof-store.ts';
import { publishAccessEnd } from './publish-access-end.ts';
import { requireOpener } from './require-opener.ts';
import type { OpenedLink } from './verify-email.ts';

type ChangeDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

const KINDS = ['email-change-old', 'email-change-new'] as const;

/**
 * Confirms one side of an address change by the link of a mail, which is good once. That of the new address counts only from
 * somebody who is in the account, as that of a verification. With the second side the address changes: every session but the
 * caller's ends, other links are void, and both addresses are told. Throws as `requireOpener`, `email_link_invalid`, and
 * `email_taken` where somebody else has the address by now.
 */
export async function confirmEmailChange(
  deps: ChangeDeps,
  { token, password }: OpenedLink,
  caller: Actor | null,
): Promise<ConfirmedEmail & { userId: string }> {
  const { database, clock, bus } = deps;
  const at = clock.now();
  const hash = hashProof(token);
  const link = await findProof(database.sql, KINDS, hash, at);
  const told = link && (await findChangeToTell(database.sql, link.subject, at));
  if (!told) throw new AppError('email_link_invalid');
  const { userId, newEmail } = told;
  const side = link.kind === 'email-change-old' ? 'old' : 'new';
  if (side === 'new') await requireOpener(deps, { userId, email: newEmail, hash, caller, password });
  const kept = caller?.userId === userId ? caller.sessionId : null;
  const { change, ended } = await database.sql.begin(async (tx) => {
    await lockUser(tx, userId);
    const proof = await consumeProof(tx, KINDS, hash, at);
    const row = proof && (await confirmSide(tx, proof.subject, side, at));
    if (!row) throw new AppError('email_link_invalid');
    if (!row.oldConfirmed || !row.newConfirmed) return { change: row, ended: [] };
    return { change: row, ended: await applyEmailChange(tx, deps, row, kept) };
  });
  publishAccessEnd(bus, userId, { sessions: ended, keys: [] });
  return {
    changed: change.oldConfirmed && change.newConfirmed,
    email: change.newEmail,
    userId: change.userId,
  };
}
