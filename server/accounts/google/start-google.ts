import type { GoogleStart } from '#contract/accounts/google.ts';
import type { Language } from '#contract/choices.ts';
import { returnPath } from '#contract/return-path.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { ATTEMPT_KEYS } from '../abuse/attempt-key-rules.ts';
import { createProof, hashProof } from '../secrets/hash-proof.ts';
import { writeProofCookie } from '../secrets/proof-cookie.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { insertFlow } from './flow-store.ts';
import type { GoogleClient } from './google-client.ts';

/** How long a user may take at Google. */
const FLOW_SECONDS = 600;

/** Where Google sends people back to. */
const CALLBACK_PATH = '/api/auth/google/callback';

export interface Leaving {
  actor: Actor | null;
  /** What this browser holds already of a flow in another tab. */
  browserToken: string | null;
  /** Ours, as this browser sees it. */
  origin: string;
  ip: string;
  language: Language;
}

/**
 * Begins a way to Google: where to go, and the `Set-Cookie` that binds the way back to this browser. Throws `rate_limited`,
 * `unauthenticated`, `confirmation_required`, and whatever goes wrong between us and Google.
 */
export async function startGoogle(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  google: GoogleClient,
  { purpose, mode, flow, remember, returnTo }: GoogleStart,
  { actor, browserToken, origin, ip, language }: Leaving,
): Promise<{ location: string; cookie: string }> {
  const { config, database, clock } = deps;
  const limit = { max: config.limits.signInsPerMinute, windowSeconds: 60 };
  const key = ATTEMPT_KEYS.googleFrom(networkOf(ip));
  const seconds = await takeRateLimit(database.sql, key, limit, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  const isOwn = purpose === 'link' || purpose === 'confirm';
  if (isOwn && !actor) throw new AppError('unauthenticated');
  if (purpose === 'link' && actor) await requireConfirmed(deps, actor);
  const token = browserToken ?? createProof().token;
  const checks = await google.makeChecks();
  const redirectUri = origin + CALLBACK_PATH;
  const location = await google.authorizationUrl(checks, { redirectUri, language });
  const begun = {
    ...checks,
    purpose,
    mode,
    flow,
    redirectUri,
    returnTo: returnPath(returnTo, `/${language}/chat`),
    rememberMe: remember === 'true',
    sessionId: isOwn && actor ? actor.sessionId : null,
  };
  const expiresAt = new Date(clock.now().getTime() + FLOW_SECONDS * 1000);
  await insertFlow(database.sql, begun, hashFlow(checks.state, token), expiresAt);
  return { location, cookie: writeProofCookie(config, 'google', token, FLOW_SECONDS) };
}

/** How a flow is found again: by the state that comes back and the token of the browser that brings it. */
export function hashFlow(state: string, browserToken: string): string {
  return hashProof(`${state} ${browserToken}`);
}
