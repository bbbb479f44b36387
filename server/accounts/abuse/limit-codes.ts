import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import {
  clearRateLimit,
  type RateLimit,
  takeRateLimits,
  withDay,
} from '#server/platform/database/rate-limit.ts';
import { findTrustedBrowser } from '../devices/trusted-browser-store.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { ATTEMPT_KEYS } from './attempt-key-rules.ts';

/** Three of a million codes are right at any time: a day of guessing hits one with a chance of 1 in 6,000. */
const PER_QUARTER: RateLimit = { max: 10, windowSeconds: 900 };
const PER_DAY: RateLimit = { max: 50, windowSeconds: 86_400 };

type LimitDeps = Pick<Deps, 'config' | 'database' | 'clock'>;

/** The caller who types a code: a browser that gave the password, or a signed-in user. */
export type CodeCaller = { deviceToken: string | null } | { sessionId: string };

/**
 * Counts a code typed for an account. There is one counter for each session, one for each browser that signed in before, one shared by
 * the browsers that a mail let in, and one for all others: a stranger who has the password cannot use up the owner's tries. Returns
 * the key of the counter, which `clearCodes` takes. Throws `rate_limited`, and `sign_in_limited` where a mailed link is the way on.
 */
export async function limitCodes(deps: LimitDeps, userId: string, caller: CodeCaller): Promise<string> {
  const { config, database, clock } = deps;
  const key = await keyOf(deps, userId, caller);
  const seconds = await takeRateLimits(
    database.sql,
    withDay(key, PER_QUARTER, PER_DAY),
    clock.databaseTime(),
  );
  if (seconds === 0) return key;
  const hasWayOn = config.mail !== null && key === ATTEMPT_KEYS.codeOfStrangers(userId);
  throw new AppError(hasWayOn ? 'sign_in_limited' : 'rate_limited', { seconds });
}

/** Forgets the quarter of an hour after a right code; the day stays counted. */
export async function clearCodes(sql: Executor, key: string): Promise<void> {
  await clearRateLimit(sql, key);
}

async function keyOf({ database }: LimitDeps, userId: string, caller: CodeCaller): Promise<string> {
  if ('sessionId' in caller) return ATTEMPT_KEYS.codeOfSession(userId, caller.sessionId);
  if (caller.deviceToken === null) return ATTEMPT_KEYS.codeOfStrangers(userId);
  const hash = hashProof(caller.deviceToken);
  const trusted = await findTrustedBrowser(database.sql, { userId }, hash);
  if (!trusted) return ATTEMPT_KEYS.codeOfStrangers(userId);
  return trusted.signedIn ? ATTEMPT_KEYS.codeOfBrowser(userId, hash) : ATTEMPT_KEYS.codeOfMailed(userId);
}
