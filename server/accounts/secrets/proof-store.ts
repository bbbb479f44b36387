import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';

/** What a link of a mail proves; `google`: what a browser brings back from there. */
export type ProofKind =
  | 'google'
  | 'verify-email'
  | 'sign-in-link'
  | 'not-me'
  | 'email-change-old'
  | 'email-change-new'
  | 'email-change-stop';

/** Keeps a one-time proof; `subject` says what of. */
export async function insertProof(
  sql: Executor,
  proof: { kind: ProofKind; hash: string; subject: string; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into verifications (id, identifier, value, expires_at)
    values (${newId()}, ${`${proof.kind}:${proof.hash}`}, ${proof.subject}, ${proof.expiresAt})`;
}

/** What a proof of one of the kinds proves, while it is good. */
export async function findProof(
  sql: Executor,
  kinds: readonly ProofKind[],
  hash: string,
  at: Date,
): Promise<{ kind: ProofKind; subject: string } | null> {
  const [row] = await sql<{ identifier: string; subject: string }[]>`
    select identifier, value as subject from verifications
     where identifier = any(${kinds.map((kind) => `${kind}:${hash}`)}) and expires_at > ${at}`;
  const kind = kinds.find((each) => row?.identifier.startsWith(`${each}:`));
  return row && kind ? { kind, subject: row.subject } : null;
}

/** Takes a proof of one of the kinds out of use; of several callers exactly one gets what it proves. */
export async function consumeProof(
  sql: Executor,
  kinds: readonly ProofKind[],
  hash: string,
  at: Date,
): Promise<{ kind: ProofKind; subject: string } | null> {
  const [row] = await sql<{ identifier: string; subject: string }[]>`
    delete from verifications where identifier = any(${kinds.map((kind) => `${kind}:${hash}`)}) and expires_at > ${at}
    returning identifier, value as subject`;
  const kind = kinds.find((each) => row?.identifier.startsWith(`${each}:`));
  return row && kind ? { kind, subject: row.subject } : null;
}

/** As `consumeProof`, but remembers until it ends anyway that the proof was used. */
export async function markProofUsed(
  sql: Executor,
  kind: ProofKind,
  hash: string,
  at: Date,
): Promise<string | null> {
  const [row] = await sql<{ subject: string }[]>`
    update verifications set identifier = ${`used-${kind}:${hash}`}
     where identifier = ${`${kind}:${hash}`} and expires_at > ${at} returning value as subject`;
  return row?.subject ?? null;
}

/** What a proof proved that was used lately; null: there was none. */
export async function findUsedProof(sql: Executor, kind: ProofKind, hash: string): Promise<string | null> {
  const [row] = await sql<{ subject: string }[]>`
    select value as subject from verifications where identifier = ${`used-${kind}:${hash}`}`;
  return row?.subject ?? null;
}
