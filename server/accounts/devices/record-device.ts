import { describeAgent } from '#contract/describe-agent.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { type RateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { enqueueMail } from '#server/platform/mail/mail-queue.ts';
import { findEmail } from '../users/email-store.ts';
import { findMailLimitKey } from '../users/store.ts';
import { saveDevice } from './device-store.ts';

/** Whoever comes from more places has news enough, and may be a stranger who opened the account with another person's address. */
const MAILS_PER_DAY: RateLimit = { max: 20, windowSeconds: 86_400 };

/** One sign-in: whose, in which session, from where. */
interface SignInPlace {
  userId: string;
  sessionId: string;
  ip: string;
  userAgent: string | null;
}

/**
 * Notes from where a user signs in, and informs the user by mail, so many times a day, where that is neither the first place nor a known
 * one.
 */
export async function recordDevice(
  sql: Executor,
  deps: Pick<Deps, 'config' | 'clock'>,
  { userId, sessionId, ip, userAgent }: SignInPlace,
): Promise<void> {
  const at = deps.clock.now();
  const agent = userAgent ?? '';
  const place = { browser: describeAgent(agent) ?? 'other', network: networkOf(ip), at };
  if (!(await saveDevice(sql, userId, place))) return;
  const user = await findEmail(sql, userId);
  if (!user) return;
  const key = `new-sign-ins:${await findMailLimitKey(sql, userId)}`;
  if ((await takeRateLimit(sql, key, MAILS_PER_DAY, deps.clock.databaseTime())) > 0) return;
  await enqueueMail(sql, deps, {
    key: `new_sign_in:${sessionId}`,
    template: 'new_sign_in',
    to: user.email,
    language: user.language,
    params: { userId, userAgent: agent.slice(0, 300), address: ip, at: at.getTime() },
  });
}
