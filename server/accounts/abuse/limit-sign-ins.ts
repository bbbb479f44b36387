import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import {
  clearRateLimit,
  type RateLimit,
  takeRateLimit,
  takeRateLimits,
  withDay,
} from '#server/platform/database/rate-limit.ts';
import { findTrustedBrowser } from '../devices/trusted-browser-store.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { ATTEMPT_KEYS } from './attempt-key-rules.ts';
import { requireCaptcha } from './require-captcha.ts';
import { type Solver, verifyCaptcha } from './verify-captcha.ts';

/** The caller who tries a password. */
export interface SignInCaller extends Solver {
  /** The token of its device cookie; null: it has none of ours. */
  deviceToken: string | null;
}

type AttemptDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log'>;

/** Strangers' tries at one account from one network. The tries of a network at all accounts are bounded by the settings. */
const PER_ACCOUNT_AND_NETWORK: RateLimit = { max: 10, windowSeconds: 600 };
/** Strangers' tries at one account from everywhere. */
const PER_ACCOUNT: RateLimit = { max: 50, windowSeconds: 3600 };
/** Tries of a trusted browser, counted for it alone. Beyond them it is a stranger until the window is over. */
const PER_BROWSER: RateLimit = { max: 10, windowSeconds: 600 };
const PER_BROWSER_AND_DAY: RateLimit = { max: 50, windowSeconds: 86_400 };

/**
 * Counts an attempt to sign in to `email` by the limits above. Beyond them a mailed link is the way on, or a captcha where no
 * mail is sent. What is answered does not depend on the password, nor on whether a user has the address. Returns whether the
 * browser is trusted. Throws `sign_in_limited`, `rate_limited` where there is neither mail nor captcha, and as `verifyCaptcha`.
 */
export async function limitSignIns(deps: AttemptDeps, email: string, caller: SignInCaller): Promise<boolean> {
  if (await isTrusted(deps, email, caller.deviceToken)) return true;
  const seconds = await countStranger(deps, email, networkOf(caller.ip));
  if (seconds > 0) await challenge(deps, caller, seconds);
  else await requireCaptcha(deps, email, caller);
  return false;
}

/** Forgets the attempts of strangers on an account after one of them gave the right password. */
export async function clearSignIns(
  { config, database }: Pick<AttemptDeps, 'config' | 'database'>,
  email: string,
  ip: string,
): Promise<void> {
  await clearRateLimit(database.sql, ATTEMPT_KEYS.signInAtFrom(email, networkOf(ip)));
  await clearRateLimit(database.sql, ATTEMPT_KEYS.signInAt(email));
  if (config.captcha) await clearRateLimit(database.sql, ATTEMPT_KEYS.captchaAt(email));
}

async function isTrusted({ database, clock }: AttemptDeps, email: string, token: string | null) {
  const { sql } = database;
  const hash = token === null ? null : hashProof(token);
  if (hash === null || !(await findTrustedBrowser(sql, { email }, hash))) return false;
  const limits = withDay(ATTEMPT_KEYS.signInOfBrowser(email, hash), PER_BROWSER, PER_BROWSER_AND_DAY);
  return (await takeRateLimits(sql, limits, clock.databaseTime())) === 0;
}

/** Seconds to wait. What one limit refuses is not counted by the next, so that one network alone does not fill the account's. */
async function countStranger({ config, database, clock }: AttemptDeps, email: string, network: string) {
  const limits: [key: string, limit: RateLimit][] = [
    [ATTEMPT_KEYS.signInFrom(network), { max: config.limits.signInsPerMinute, windowSeconds: 60 }],
    [ATTEMPT_KEYS.signInAtFrom(email, network), PER_ACCOUNT_AND_NETWORK],
    [ATTEMPT_KEYS.signInAt(email), PER_ACCOUNT],
  ];
  for (const [key, limit] of limits) {
    const seconds = await takeRateLimit(database.sql, key, limit, clock.databaseTime());
    if (seconds > 0) return seconds;
  }
  return 0;
}

async function challenge(deps: AttemptDeps, solver: Solver, seconds: number): Promise<void> {
  if (deps.config.mail) throw new AppError('sign_in_limited', { seconds });
  if (!deps.config.captcha) throw new AppError('rate_limited', { seconds });
  await verifyCaptcha(deps, solver);
}
