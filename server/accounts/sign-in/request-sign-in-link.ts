import { z } from 'zod';
import type { Language } from '#contract/choices.ts';
import type { RequestSignInLink } from '#contract/email.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import { type RateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueueMail } from '#server/platform/mail/mail-queue.ts';
import { ATTEMPT_KEYS } from '../abuse/attempt-key-rules.ts';
import { type Solver, verifyCaptcha } from '../abuse/verify-captcha.ts';
import { findEmail } from '../users/email-store.ts';
import { findSecondStepUser } from './finish-second-step.ts';

/** One is enough: its link is good for four times as long. */
const PER_ADDRESS: RateLimit = { max: 1, windowSeconds: 900 };
const PER_NETWORK: RateLimit = { max: 20, windowSeconds: 3600 };

/**
 * Has a link mailed that lets the browser in which it is opened try its password (or code) whatever strangers have tried; to the
 * address given, if a user has it, or to that of the sign-in that waits in this browser. Neither the answer nor its time tells
 * whether a mail went out. Throws `email_invalid`, `second_step_over`, `rate_limited` for the network, `not_configured`, and as
 * `verifyCaptcha`.
 */
export async function requestSignInLink(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>,
  { email: given }: RequestSignInLink,
  caller: Solver & { language: Language; stepToken: string | null },
): Promise<void> {
  const { config, database, clock } = deps;
  const { sql } = database;
  if (config.mail === null) throw new AppError('not_configured', { setting: 'SMTP_URL' });
  const email =
    given === undefined ? await findSecondStepEmail(deps, caller.stepToken) : given.trim().toLowerCase();
  if (!z.email().max(254).safeParse(email).success) throw new AppError('email_invalid');
  await verifyCaptcha(deps, caller);
  const at = clock.databaseTime();
  const seconds = await takeRateLimit(
    sql,
    ATTEMPT_KEYS.signInLinkFrom(networkOf(caller.ip)),
    PER_NETWORK,
    at,
  );
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  if ((await takeRateLimit(sql, ATTEMPT_KEYS.signInLinkTo(email), PER_ADDRESS, at)) > 0) return;
  await enqueueMail(sql, deps, {
    key: `sign_in_link:${newId()}`,
    template: 'sign_in_link',
    to: email,
    language: caller.language,
    params: {},
  });
}

async function findSecondStepEmail(
  deps: Pick<Deps, 'database' | 'clock'>,
  token: string | null,
): Promise<string> {
  const userId = await findSecondStepUser(deps, token);
  const user = userId === null ? null : await findEmail(deps.database.sql, userId);
  if (!user) throw new AppError('second_step_over');
  return user.email;
}
