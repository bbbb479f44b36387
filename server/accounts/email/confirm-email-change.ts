import type { ConfirmedEmail } from '#contract/email.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { clearRateLimit } from '#server/platform/database/rate-limit.ts';
import { recordTrustedBrowser } from '../devices/record-trusted-browser.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { consumeProof, findProof, type ProofKind } from '../secrets/proof-store.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { publishAccessEnd } from '../sessions/publish-access-end.ts';
import { lockUserForAddress } from '../users/access-store.ts';
import { confirmSide, findChangeToTell, findEmailChange } from '../users/email-store.ts';
import { applyEmailChange } from './apply-email-change.ts';
import { requireOpener } from './require-opener.ts';
import type { OpenedLink } from './verify-email.ts';

type ChangeDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

const KINDS = ['email-change-old', 'email-change-new'] as const;

/**
 * Confirms one side of an address change by the link of a mail, which is good once. The link to the new address counts only from a
 * person who is in the account, as that of a verification. It proves the new mailbox for the signed-in caller's own change to that
 * address. A mail that another account caused counts too, because strangers may have used up the mails to an address. With the
 * second side the address changes: every session but the caller's ends, other links are void, and both addresses are notified. The
 * caller's browser is trusted then, whose device cookie has `deviceToken`; `cookie` is the `Set-Cookie` value of that. Throws as
 * `requireOpener`, `email_link_invalid`, and `email_taken` where another user has the address by now.
 */
export async function confirmEmailChange(
  deps: ChangeDeps,
  { token, password }: OpenedLink,
  caller: Actor | null,
  deviceToken: string | null,
): Promise<ConfirmedEmail & { cookie: string | null }> {
  const { database, clock, bus } = deps;
  const at = clock.now();
  const hash = hashProof(token);
  const link = await findProof(database.sql, KINDS, hash, at);
  const changeId = link && (await findMeantChange(deps, link, caller));
  const pending = changeId && (await findChangeToTell(database.sql, changeId, at));
  if (!pending) throw new AppError('email_link_invalid');
  const { userId, newEmail } = pending;
  const side = link.kind === 'email-change-old' ? 'old' : 'new';
  if (side === 'new') await requireOpener(deps, { userId, email: newEmail, hash, caller, password });
  const kept = caller?.userId === userId ? caller.sessionId : null;
  const { change, ended, cookie } = await database.sql.begin(async (tx) => {
    const user = await lockUserForAddress(tx, userId, newEmail);
    const proof = user && (await consumeProof(tx, KINDS, hash, at));
    const row = proof && (await confirmSide(tx, changeId, side, at));
    if (!row) throw new AppError('email_link_invalid');
    if (side === 'new') await clearRateLimit(tx, `email-change:${row.newEmail}`);
    if (!row.oldConfirmed || !row.newConfirmed) return { change: row, ended: [], cookie: null };
    const end = await applyEmailChange(tx, deps, row, kept);
    const trust = { userId, deviceToken, signedIn: true };
    return {
      change: row,
      ended: end,
      cookie: kept === null ? null : await recordTrustedBrowser(tx, deps, trust),
    };
  });
  publishAccessEnd(bus, userId, { sessions: ended, keys: [] });
  return { changed: change.oldConfirmed && change.newConfirmed, email: change.newEmail, cookie };
}

/** What the link to the new address of a change proves: that mailbox. */
export function newAddressSubject(changeId: string, email: string): string {
  return `${changeId} ${email}`;
}

/** The id of the address change; the new address too, if the link was mailed to it. */
export function readLink({ subject }: { subject: string }): { changeId: string; email: string | null } {
  const [changeId = '', email = null] = subject.split(' ');
  return { changeId, email };
}

/** The id of the change that the opener of a link means: their own to the address that it proves, or that of the mail. */
async function findMeantChange(
  { database, clock }: ChangeDeps,
  link: { kind: ProofKind; subject: string },
  caller: Actor | null,
): Promise<string> {
  const { changeId, email } = readLink(link);
  const own = caller && email !== null && (await findEmailChange(database.sql, caller.userId, clock.now()));
  return own && own.newEmail === email ? own.id : changeId;
}
