import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { clearRateLimit, type RateLimit, takeRateLimits } from '#server/platform/database/rate-limit.ts';
import { findTrustedBrowser } from '../devices/trusted-browser-store.ts';
import { hashProof } from '../secrets/hash-proof.ts';

/** Three of a million codes are right at any time: a day of guessing hits one with a chance of 1 in 6,000. */
const PER_QUARTER: RateLimit = { max: 10, windowSeconds: 900 };
const PER_DAY: RateLimit = { max: 50, windowSeconds: 86_400 };

type LimitDeps = Pick<Deps, 'config' | 'database' | 'clock'>;

/** The caller who types a code: a browser that gave the password, or a signed-in user. */
export type CodeCaller = { deviceToken: string | null } | { sessionId: string };

/**
 * Counts a code typed for an account. Sessions and browsers that have signed in before count each for itself; those that a mail let
 * in together, and all others together: who knows the password alone keeps no one else out. Returns the name of the count, which
 * `clearCodes` takes. Throws `rate_limited`, and `sign_in_limited` where a mailed link is the way on.
 */
export async function limitCodes(deps: LimitDeps, userId: string, caller: CodeCaller): Promise<string> {
  const { config, database, clock } = deps;
  const key = await keyOf(deps, userId, caller);
  const limits = [[key, PER_QUARTER] as const, [`${key}:day`, PER_DAY] as const];
  const seconds = await takeRateLimits(database.sql, limits, clock.databaseTime());
  if (seconds === 0) return key;
  const hasWayOn = config.mail !== null && key === strangersKey(userId);
  throw new AppError(hasWayOn ? 'sign_in_limited' : 'rate_limited', { seconds });
}

/** Forgets the quarter of an hour after a right code; the day stays counted. */
export async function clearCodes(sql: Executor, key: string): Promise<void> {
  await clearRateLimit(sql, key);
}

/** What strangers typed. */
export function strangersKey(userId: string): string {
  return `code:${userId}:strangers`;
}

async function keyOf({ database }: LimitDeps, userId: string, caller: CodeCaller): Promise<string> {
  if ('sessionId' in caller) return `code:${userId}:session:${caller.sessionId}`;
  if (caller.deviceToken === null) return strangersKey(userId);
  const hash = hashProof(caller.deviceToken);
  const trusted = await findTrustedBrowser(database.sql, { userId }, hash);
  if (!trusted) return strangersKey(userId);
  return trusted.signedIn ? `code:${userId}:browser:${hash}` : `code:${userId}:mailed`;
}
