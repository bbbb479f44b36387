import type { GoogleStart } from '#contract/accounts/google.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { consumeProof, insertProof } from '../secrets/proof-store.ts';
import type { GoogleChecks } from './google-client.ts';

/** A way to Google and back that is under way. */
export interface GoogleFlow extends GoogleChecks, Pick<GoogleStart, 'purpose' | 'mode' | 'flow'> {
  /** A path of ours. */
  returnTo: string;
  rememberMe: boolean;
  redirectUri: string;
  /** The user, where the browser was signed in. */
  sessionId: string | null;
}

/** Keeps a flow until it comes back; `hash` is of what its browser brings. */
export async function insertFlow(
  sql: Executor,
  flow: GoogleFlow,
  hash: string,
  expiresAt: Date,
): Promise<void> {
  await insertProof(sql, { kind: 'google', hash, subject: JSON.stringify(flow), expiresAt });
}

/** Takes a flow out of use; of any number of callers one gets it. Null too when it is too late. */
export async function consumeFlow(sql: Executor, hash: string, at: Date): Promise<GoogleFlow | null> {
  const proof = await consumeProof(sql, ['google'], hash, at);
  return proof && (JSON.parse(proof.subject) as GoogleFlow);
}
