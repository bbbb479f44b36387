import type { SignInByPasskey } from '#contract/accounts/passkeys.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { ATTEMPT_KEYS } from '../abuse/attempt-key-rules.ts';
import { CHALLENGE_MS } from '../passkeys/passkey-rules.ts';
import { notePasskeyUse } from '../passkeys/passkey-store.ts';
import { startPasskeyAuthentication } from '../passkeys/start-passkey-authentication.ts';
import { verifyPasskey } from '../passkeys/verify-passkey.ts';
import { createProof, hashProof } from '../secrets/hash-proof.ts';
import { readProofCookie, writeProofCookie } from '../secrets/proof-cookie.ts';
import { type Browser, openSession } from '../sessions/open-session.ts';
import { lockUser } from '../users/access-store.ts';
import type { SignedIn } from './sign-in.ts';

type SignInDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log'>;

/**
 * What a signed-out browser is to ask a passkey for, and the cookie that binds the challenge to it. `header` is what cookies it
 * sent. Throws `rate_limited`, `not_configured`.
 */
export async function startSignInByPasskey(deps: SignInDeps, header: string | undefined, ip: string) {
  const { config, database, clock } = deps;
  const limit = { max: config.limits.signInsPerMinute, windowSeconds: 60 };
  const key = ATTEMPT_KEYS.passkeyFrom(networkOf(ip));
  const seconds = await takeRateLimit(database.sql, key, limit, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  const token = readProofCookie(config, 'passkey', header) ?? createProof().token;
  const use = { purpose: 'sign_in', boundTo: hashProof(token) } as const;
  const options = await startPasskeyAuthentication(deps, use, null);
  return { options, cookie: writeProofCookie(config, 'passkey', token, CHALLENGE_MS / 1000) };
}

/**
 * Signs in the holder of a passkey that verified its user: both factors at once. Throws `passkey_refused`.
 */
export async function signInByPasskey(
  deps: SignInDeps,
  { passkey, rememberMe = true }: SignInByPasskey,
  header: string | undefined,
  browser: Browser,
): Promise<SignedIn> {
  const token = readProofCookie(deps.config, 'passkey', header);
  if (token === null) throw new AppError('passkey_refused');
  const use = { purpose: 'sign_in', boundTo: hashProof(token) } as const;
  const { id, userId, counter } = await verifyPasskey(deps, passkey, use, null);
  const cookies = await deps.database.sql.begin(async (tx) => {
    await lockUser(tx, userId);
    if (!(await notePasskeyUse(tx, id, counter, deps.clock.now()))) throw new AppError('passkey_refused');
    return (await openSession(tx, deps, { userId, rememberMe, ...browser })).cookies;
  });
  return { userId, cookies };
}
