import type { DisownedNotice, NoticeOffer } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { deleteSecondFactor, findSecondFactor } from '../second-factor/second-factor-store.ts';
import { createProof, hashProof } from '../secrets/hash-proof.ts';
import { consumeProof, findProof } from '../secrets/proof-store.ts';
import { type AccessEnd, publishAccessEnd } from '../sessions/publish-access-end.ts';
import { deletePassword, lockUser, selectWays } from '../users/access-store.ts';
import { findEmail } from '../users/email-store.ts';
import { sendNotice } from '../users/send-notice.ts';
import { insertResetToken } from '../users/verification-store.ts';
import { proveMailbox, takeAccountBack } from './prove-mailbox.ts';

type DisownDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

/** How long the new password may take. */
const RESET_MS = 3_600_000;

/** The user of a notice, and the way in that it named. */
interface NoticeSubject {
  userId: string;
  wayId: string | null;
}

/** What the link of a notice proves: the mailbox of a user, and that the notice was about one way in. */
export function noticeSubject(userId: string, wayId: string | null): string {
  return wayId === null ? userId : `${userId} ${wayId}`;
}

/** What “this was not me” will end. Throws `email_link_invalid`. */
export async function readNoticeOffer(
  { database: { sql }, clock }: Pick<Deps, 'database' | 'clock'>,
  token: string,
): Promise<NoticeOffer> {
  const subject = readNoticeSubject(await findProof(sql, ['not-me'], hashProof(token), clock.now()));
  const user = await findEmail(sql, subject.userId);
  if (!user) throw new AppError('email_link_invalid');
  const factor = await findSecondFactor(sql, subject.userId);
  const way = (await selectWays(sql, subject.userId)).find(({ id }) => id === subject.wayId);
  const isFactor = factor !== null && factor.id === subject.wayId;
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
  const hash = hashProof(token);
  const { userId } = readNoticeSubject(await findProof(database.sql, ['not-me'], hash, clock.now()));
  const reset = createProof();
  const end = await database.sql.begin(async (tx) => {
    const user = await lockUser(tx, userId);
    const { wayId } = readNoticeSubject(await consumeProof(tx, ['not-me'], hash, clock.now()));
    if (!user || user.email === null) throw new AppError('email_link_invalid');
    const ended = await endNamedWay(tx, deps, userId, wayId);
    const expiresAt = new Date(clock.now().getTime() + RESET_MS);
    await insertResetToken(tx, { userId, tokenHash: reset.hash, expiresAt });
    return ended;
  });
  publishAccessEnd(bus, userId, end);
  return { resetToken: reset.token };
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

function readNoticeSubject(proof: { subject: string } | null): NoticeSubject {
  const [userId, wayId = null] = proof?.subject.split(' ') ?? [];
  if (!userId) throw new AppError('email_link_invalid');
  return { userId, wayId };
}
