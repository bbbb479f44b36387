import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import { type RateLimit, takeRateLimits } from '#server/platform/database/rate-limit.ts';
import { ATTEMPT_KEYS } from './attempt-key-rules.ts';
import { type Solver, verifyCaptcha } from './verify-captcha.ts';

const PER_ACCOUNT: RateLimit = { max: 3, windowSeconds: 3_600 };
const PER_NETWORK: RateLimit = { max: 10, windowSeconds: 600 };

/**
 * After some tries at an account, or from a network, asks the caller to solve a captcha; nothing is counted
 * where no captcha is set. Throws as `verifyCaptcha`.
 */
export async function requireCaptcha(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>,
  email: string,
  solver: Solver,
): Promise<void> {
  if (!deps.config.captcha) return;
  const { sql } = deps.database;
  const at = deps.clock.databaseTime();
  const limits = [
    [ATTEMPT_KEYS.captchaAt(email), PER_ACCOUNT],
    [ATTEMPT_KEYS.captchaFrom(networkOf(solver.ip)), PER_NETWORK],
  ] as const;
  if ((await takeRateLimits(sql, limits, at)) > 0) await verifyCaptcha(deps, solver);
}
