import type { DisownedNotice, NoticeOffer } from '#contract/accounts.ts';
import { HOUR_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { deleteSecondFactor, findSecondFactor } from '../second-factor/second-factor-store.ts';
import { createProof, hashProof } from '../secrets/hash-proof.ts';
import { type AccessEnd, publishAccessEnd } from '../sessions/publish-access-end.ts';
import { deletePassword, selectWays } from '../users/access-store.ts';
import { findEmail } from '../users/email-store.ts';
import { findMailedProof, insertMailedProof, redeemMailedProof } from '../users/mailed-proof-store.ts';
import { sendNotice } from '../users/send-notice.ts';
import { proveMailbox, takeAccountBack } from './prove-mailbox.ts';

type DisownDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

/** How long the new password may take. */
const RESET_MS = HOUR_MS;

/** What “this was not me” will end. Throws `email_link_invalid`. */
export async function readNoticeOffer(
  { database: { sql }, clock }: Pick<Deps, 'database' | 'clock'>,
  token: string,
): Promise<NoticeOffer> {
  const proof = await findMailedProof(sql, 'not-me', hashProof(token), clock.now());
  const user = proof && (await findEmail(sql, proof.userId));
  if (!user) throw new AppError('email_link_invalid');
  const { userId, wayId } = proof;
  const factor = await findSecondFactor(sql, userId);
  const way = (await selectWays(sql, userId)).find(({ id }) => id === wayId);
  const isFactor = factor !== null && factor.id === wayId;
  const named = isFactor
    ? ({ kind: 'second_factor', name: '' } as const)
    : way
      ? { kind: way.kind, name: way.name }
      : null;
  const everything = !user.verified;
  const secondFactorStays = factor !== null && !isFactor && !everything;
  return { email: user.email, named, everything, secondFactorStays };
}

/**
 * “This was not me”, by the link of a notice, which is good once and proves the mailbox: ends the way in that the notice named, the
 * password, and every session. A second factor goes only if this notice named it: a caller who has only the mailbox must not
 * switch off one that was there before. Returns what sets the next password. Throws `email_link_invalid`.
 */
export async function disownNotice(deps: DisownDeps, token: string): Promise<DisownedNotice> {
  const { database, clock, bus } = deps;
  const now = clock.now();
  const { token: resetToken, hash } = createProof();
  const { userId, ended } = await database.sql.begin(async (tx) => {
    const redeemed = await redeemMailedProof(tx, 'not-me', hashProof(token), now);
    if (!redeemed) throw new AppError('email_link_invalid');
    const { proof } = redeemed;
    const end = await endNamedWay(tx, deps, proof.userId, proof.wayId);
    const expiresAt = new Date(now.getTime() + RESET_MS);
    await insertMailedProof(tx, { ...proof, kind: 'reset-password', hash, wayId: null, expiresAt });
    return { userId: proof.userId, ended: end };
  });
  publishAccessEnd(bus, userId, ended);
  return { resetToken };
}

async function endNamedWay(
  tx: Executor,
  deps: DisownDeps,
  userId: string,
  wayId: string | null,
): Promise<AccessEnd> {
  const proof = await proveMailbox(tx, deps, userId, { is: 'stranger' });
  if (proof.voided) return proof;
  await deletePassword(tx, userId);
  const factor = await findSecondFactor(tx, userId);
  if (factor !== null && factor.id === wayId) {
    await deleteSecondFactor(tx, userId);
    await sendNotice(tx, deps, userId, 'second_factor_off');
  }
  return takeAccountBack(tx, deps, userId, wayId === null ? [] : [wayId]);
}
