import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { createProof, hashProof } from '../secrets/hash-proof.ts';
import { writeProofCookie } from '../secrets/proof-cookie.ts';
import { saveTrustedBrowser } from './trusted-browser-store.ts';

/** Browsers keep no cookie for longer. */
export const DEVICE_COOKIE_DAYS = 400;

/**
 * Trusts a browser to guess at a user's password on its own count, whatever strangers do; it is no way to sign in. `signedIn`: it
 * has just signed in, or else has shown that it reads the user's mail. Returns the `Set-Cookie` value, with the browser's own
 * token where it has one, so that one browser is trusted for several users. Source: OWASP, Slow Down Online Guessing Attacks with
 * Device Cookies.
 */
export async function recordTrustedBrowser(
  sql: Executor,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { userId, deviceToken, signedIn }: { userId: string; deviceToken: string | null; signedIn: boolean },
): Promise<string> {
  const token = deviceToken ?? createProof().token;
  await saveTrustedBrowser(sql, { userId, hash: hashProof(token), signedIn, at: clock.now() });
  return writeProofCookie(config, 'device', token, DEVICE_COOKIE_DAYS * 86_400);
}
