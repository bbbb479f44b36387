import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type LockedUser, lockUser } from './access-store.ts';

/** What the link of a mail proves about an account. */
export type MailedKind = 'reset-password' | 'verify-email' | 'sign-in-link' | 'not-me';

/** Whose account a link is about, and where it went. */
export interface MailedProof {
  userId: string;
  sentTo: string;
  /** The way in that the mail is about; null: none. */
  wayId: string | null;
}

export type NewMailedProof = MailedProof & { kind: MailedKind; hash: string; expiresAt: Date };

/**
 * Keeps the proof of a link. The user is locked until the transaction ends, so that a change of address comes before or after it.
 * False: the account does not have the address any more or is being deleted, and the link must not be mailed.
 */
export async function insertMailedProof(sql: Executor, proof: NewMailedProof): Promise<boolean> {
  const { kind, hash, userId, sentTo, wayId, expiresAt } = proof;
  const value = wayId === null ? userId : `${userId} ${wayId}`;
  const kept = await sql`
    insert into verifications (id, identifier, value, sent_to, expires_at)
    select ${newId()}, ${`${kind}:${hash}`}, ${value}, email, ${expiresAt}
      from users where id = ${userId} and email = ${sentTo} and leaving_at is null for no key update`;
  return kept.count > 0;
}

/** A proof in the table `v`, of an account that still has the address, in the table `u`. */
const ofThisAddress = (sql: Executor) => sql`
  u.id = split_part(v.value, ' ', 1)::uuid and u.email = v.sent_to and u.leaving_at is null`;

const columns = (sql: Executor) => sql`
  u.id as "userId", v.sent_to as "sentTo", nullif(split_part(v.value, ' ', 2), '') as "wayId"`;

/** What a link proves while it is good; `used-verify-email`: what one proved that was used. */
export async function findMailedProof(
  sql: Executor,
  kind: MailedKind | 'used-verify-email',
  hash: string,
  at: Date,
): Promise<MailedProof | null> {
  const [row] = await sql<MailedProof[]>`
    select ${columns(sql)} from verifications v join users u on ${ofThisAddress(sql)}
     where v.identifier = ${`${kind}:${hash}`} and v.expires_at > ${at}`;
  return row ?? null;
}

/**
 * Takes the proof of a link out of use under the lock of its user; of several callers exactly one gets what it proves. Null: it is
 * not good, or the address that it went to is not the account’s any more.
 */
export async function redeemMailedProof(
  tx: Executor,
  kind: MailedKind,
  hash: string,
  at: Date,
): Promise<{ proof: MailedProof; user: LockedUser } | null> {
  const known = await findMailedProof(tx, kind, hash, at);
  const user = known && (await lockUser(tx, known.userId));
  if (!user) return null;
  const [proof] = await tx<MailedProof[]>`
    update verifications v set identifier = ${`used-${kind}:${hash}`} from users u
     where v.identifier = ${`${kind}:${hash}`} and v.expires_at > ${at} and ${ofThisAddress(tx)}
    returning ${columns(tx)}`;
  return proof ? { proof, user } : null;
}
