import type { Enrolment } from '#contract/accounts/second-factor.ts';
import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { sealSecret } from '../secrets/seal-secret.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { findEmail } from '../users/email-store.ts';
import { insertEnrolment } from './second-factor-store.ts';
import { newTotpSecret, totpUrl } from './totp-rules.ts';

const LIFE_MS = 30 * MINUTE_MS;

/**
 * Makes what an authenticator app is to be given. Nothing changes until `finishEnrolment`: a second factor that is on stays as it
 * is. Throws `confirmation_required`.
 */
export async function startEnrolment(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  actor: Actor,
): Promise<Enrolment> {
  await requireConfirmed(deps, actor);
  const { config, database, clock } = deps;
  const user = await findEmail(database.sql, actor.userId);
  if (!user) throw new AppError('unauthenticated');
  const secret = newTotpSecret();
  await insertEnrolment(database.sql, {
    userId: actor.userId,
    secret: sealSecret(config.authSecret, actor.userId, secret),
    expiresAt: new Date(clock.now().getTime() + LIFE_MS),
  });
  return { secret, url: totpUrl(secret, config.brand.name, user.email) };
}
