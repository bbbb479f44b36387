import type { ConfirmedEmail } from '#contract/email.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database.ts';
import { isConflict } from '#server/platform/database-errors.ts';
import { enqueueMail } from '#server/platform/mail-queue.ts';
import type { Actor } from './authenticate.ts';
import {
  confirmSide,
  deleteEmailChange,
  deleteResetProofs,
  type EmailChangeRow,
  findEmail,
  updateEmail,
} from './email-store.ts';
import { hashProof } from './hash-proof.ts';
import { publishSignedOut } from './live-sessions.ts';
import { consumeProof } from './proof-store.ts';
import { recogniseAddress } from './recognise-address.ts';
import { deleteOtherSessions } from './session-store.ts';

type ChangeDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

/**
 * Confirms one side of an address change by the link of a mail, which is good once. With the second side the address changes:
 * every session but the caller's ends, reset links are void, and both addresses are told. Throws `email_link_invalid`, and
 * `email_taken` where somebody else has the address by now.
 */
export async function confirmEmailChange(
  deps: ChangeDeps,
  token: string,
  caller: Actor | null,
): Promise<ConfirmedEmail> {
  const { database, clock, bus } = deps;
  const at = clock.now();
  const { change, ended } = await database.sql.begin(async (tx) => {
    const proof = await consumeProof(tx, ['email-change-old', 'email-change-new'], hashProof(token), at);
    const side = proof?.kind === 'email-change-old' ? 'old' : 'new';
    const row = proof && (await confirmSide(tx, proof.subject, side, at));
    if (!row) throw new AppError('email_link_invalid');
    if (!row.oldConfirmed || !row.newConfirmed) return { change: row, ended: [] };
    const kept = caller?.userId === row.userId ? caller.sessionId : null;
    return { change: row, ended: await applyChange(deps, tx, row, kept) };
  });
  for (const id of ended) publishSignedOut(bus, change.userId, id);
  return { changed: change.oldConfirmed && change.newConfirmed, email: change.newEmail };
}

async function applyChange(
  deps: ChangeDeps,
  tx: Executor,
  { id, userId, newEmail }: EmailChangeRow,
  keptSession: string | null,
): Promise<string[]> {
  const user = await findEmail(tx, userId);
  if (!user) throw new AppError('email_link_invalid');
  try {
    await updateEmail(tx, userId, { email: newEmail, ...(await recogniseAddress(deps, newEmail)) });
  } catch (error) {
    throw isConflict(error) ? new AppError('email_taken') : error;
  }
  await deleteEmailChange(tx, id);
  await deleteResetProofs(tx, userId);
  for (const [side, to] of [
    ['old', user.email],
    ['new', newEmail],
  ] as const) {
    await enqueueMail(tx, deps, {
      key: `email_changed:${id}:${side}`,
      template: 'email_changed',
      to,
      language: user.language,
      params: { oldEmail: user.email, newEmail },
    });
  }
  return deleteOtherSessions(tx, userId, keptSession);
}
