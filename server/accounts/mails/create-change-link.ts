import { HOUR_MS } from '#contract/time.ts';
import { createProof } from '../secrets/hash-proof.ts';
import { insertProof, type ProofKind } from '../secrets/proof-store.ts';
import type { ComposeDeps } from './compose-account-mail.ts';

/** How long the links of an address change are good. */
export const CHANGE_HOURS = 24;

/** A link that agrees to an address change or stops it, with a proof of its own after the #. */
export async function createChangeLink(
  { config, database, clock }: ComposeDeps,
  kind: ProofKind,
  subject: string,
  name: 'token' | 'stop',
): Promise<string> {
  const { token, hash } = createProof();
  const expiresAt = new Date(clock.now().getTime() + CHANGE_HOURS * HOUR_MS);
  await insertProof(database.sql, { kind, hash, subject, expiresAt });
  return `${config.publicUrl}/confirm-email#${name}=${token}`;
}
