import { z } from 'zod';
import type { Language } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import { type RateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueueMail } from '#server/platform/mail/mail-queue.ts';
import { ATTEMPT_KEYS } from '../abuse/attempt-key-rules.ts';
import { type Solver, verifyCaptcha } from '../abuse/verify-captcha.ts';

export const requestPasswordResetSchema = z.strictObject({ email: z.string() });

const PER_ADDRESS: RateLimit = { max: 3, windowSeconds: 900 };
const PER_NETWORK: RateLimit = { max: 20, windowSeconds: 3600 };

/**
 * Has a mail with a reset link sent to an address, if a user has it: neither the answer nor its time shows that. Where strangers have
 * asked for as many as there may be, the links that went out are still good, and no other one is sent. Throws `email_invalid`, `rate_limited`
 * for the network, `not_configured`, and as `verifyCaptcha`.
 */
export async function requestPasswordReset(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>,
  input: z.infer<typeof requestPasswordResetSchema>,
  caller: Solver & { language: Language },
): Promise<void> {
  const { config, database, clock } = deps;
  if (config.mail === null) throw new AppError('not_configured', { setting: 'SMTP_URL' });
  const email = input.email.trim().toLowerCase();
  if (!z.email().max(254).safeParse(email).success) throw new AppError('email_invalid');
  await verifyCaptcha(deps, caller);
  const at = clock.databaseTime();
  const seconds = await takeRateLimit(
    database.sql,
    ATTEMPT_KEYS.resetFrom(networkOf(caller.ip)),
    PER_NETWORK,
    at,
  );
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  if ((await takeRateLimit(database.sql, ATTEMPT_KEYS.resetTo(email), PER_ADDRESS, at)) > 0) return;
  await enqueueMail(database.sql, deps, {
    key: `password_reset:${newId()}`,
    template: 'password_reset',
    to: email,
    language: caller.language,
    params: {},
  });
}
