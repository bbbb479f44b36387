import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';

/** What a link about a change of address proves; `google`: what a browser brings back from there. */
export type ProofKind = 'google' | 'email-change-old' | 'email-change-new' | 'email-change-stop';

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
