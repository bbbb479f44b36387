import type { Executor } from '#server/platform/database/database.ts';

export interface PasskeyRow {
  id: string;
  userId: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  synced: boolean;
  createdAt: Date;
  usedAt: Date | null;
}

const COLUMNS = `id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey",
  counter::float8 as counter, transports, name, synced, created_at as "createdAt", used_at as "usedAt"`;

/** The passkeys of a user, the oldest first. */
export async function selectPasskeys(sql: Executor, userId: string): Promise<PasskeyRow[]> {
  return sql<PasskeyRow[]>`
    select ${sql.unsafe(COLUMNS)} from passkeys where user_id = ${userId} order by created_at, id`;
}

/** How many passkeys a user has. */
export async function countPasskeys(sql: Executor, userId: string): Promise<number> {
  return (await sql`select from passkeys where user_id = ${userId}`).count;
}

/** The passkey that a browser names; null when no user has it. */
export async function findPasskey(sql: Executor, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await sql<PasskeyRow[]>`
    select ${sql.unsafe(COLUMNS)} from passkeys where credential_id = ${credentialId}`;
  return row ?? null;
}

/** Keeps a new passkey; false: a user has it already. */
export async function insertPasskey(sql: Executor, passkey: Omit<PasskeyRow, 'usedAt'>): Promise<boolean> {
  const { id, userId, credentialId, publicKey, counter, transports, name, synced, createdAt } = passkey;
  const kept = await sql`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, synced, created_at)
    values (${id}, ${userId}, ${credentialId}, ${publicKey}, ${counter}, ${transports}, ${name}, ${synced}, ${createdAt})
    on conflict (credential_id) do nothing`;
  return kept.count > 0;
}

/** Names a passkey of a user; false: the user has no such. */
export async function updatePasskeyName(
  sql: Executor,
  userId: string,
  id: string,
  name: string,
): Promise<boolean> {
  return (await sql`update passkeys set name = ${name} where id = ${id} and user_id = ${userId}`).count > 0;
}

/** Deletes a passkey of a user and returns its name; null: the user has no such. */
export async function deletePasskeyRow(sql: Executor, userId: string, id: string): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    delete from passkeys where id = ${id} and user_id = ${userId} returning name`;
  return row?.name ?? null;
}

/**
 * Notes a use of a passkey with its counter. False: it is gone, or its counter has not risen, as a copy of it would;
 * one that does not count reports 0 always.
 */
export async function notePasskeyUse(sql: Executor, id: string, counter: number, at: Date): Promise<boolean> {
  const used = await sql`
    update passkeys set counter = ${counter}, used_at = ${at}
     where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`;
  return used.count > 0;
}

/** What a challenge is for, and whom it was given to. */
export interface ChallengeUse {
  purpose: 'register' | 'sign_in' | 'second_step' | 'confirm';
  /** The id of a session, or the hash of a browser's token. */
  boundTo: string;
}

/** Keeps a challenge until it is answered. */
export async function insertChallenge(
  sql: Executor,
  { hash, purpose, boundTo, expiresAt }: ChallengeUse & { hash: string; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into passkey_challenges (hash, purpose, bound_to, expires_at)
    values (${hash}, ${purpose}, ${boundTo}, ${expiresAt})`;
}

/** Takes a challenge out of use; of several callers exactly one gets true. */
export async function consumeChallenge(
  sql: Executor,
  hash: string,
  { purpose, boundTo }: ChallengeUse,
  at: Date,
): Promise<boolean> {
  const taken = await sql`
    delete from passkey_challenges
     where hash = ${hash} and purpose = ${purpose} and bound_to = ${boundTo} and expires_at > ${at}`;
  return taken.count > 0;
}
