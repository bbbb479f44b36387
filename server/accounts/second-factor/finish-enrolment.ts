import type { RecoveryCodes } from '#contract/accounts/second-factor.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { clearCodes, limitCodes } from '../abuse/limit-codes.ts';
import { recordTrustedBrowser } from '../devices/record-trusted-browser.ts';
import { deleteTrustedBrowsers } from '../devices/trusted-browser-store.ts';
import { openSecret } from '../secrets/seal-secret.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { changeCredential } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { limitChanges, sendNotice } from '../users/send-notice.ts';
import { createRecoveryCodes } from './create-recovery-codes.ts';
import {
  consumeEnrolment,
  findEnrolment,
  replaceRecoveryCodes,
  replaceSecondFactor,
} from './second-factor-store.ts';
import { totpCounterOf } from './totp-rules.ts';

/**
 * Turns the second factor on, or moves it to another app, once a code has shown that the app has the secret. Every other session ends;
 * when it is turned on so does the trust in browsers, which gave the password alone: each of them would have its own tries at codes.
 * This browser is trusted, whose device cookie has `deviceToken`; `cookie` is the `Set-Cookie` value of that. The notice of a move does
 * not name the factor: its link would switch off one that stood before. Throws `confirmation_required`, `code_invalid`, `conflict`
 * when no enrolment is under way, `rate_limited`.
 */
export async function finishEnrolment(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  actor: Actor,
  code: string,
  deviceToken: string | null,
): Promise<RecoveryCodes & { cookie: string }> {
  await requireConfirmed(deps, actor);
  const { userId } = actor;
  const { config, database, clock } = deps;
  const now = clock.now();
  const sealed = await findEnrolment(database.sql, userId, now);
  const secret = sealed === null ? null : openSecret(config.authSecret, userId, sealed);
  if (sealed === null || secret === null) throw new AppError('conflict');
  const key = await limitCodes(deps, userId, actor);
  const totpCounter = totpCounterOf(secret, code.replace(/\s/g, ''), now);
  if (totpCounter === null) throw new AppError('code_invalid');
  await limitChanges(deps, userId);
  const { codes, kept } = await createRecoveryCodes(config.hashing);
  const cookie = await changeCredential(deps, actor, async (tx) => {
    if (!(await consumeEnrolment(tx, userId, sealed))) throw new AppError('conflict');
    const { id, wasOff } = await replaceSecondFactor(tx, {
      userId,
      secret: sealed,
      totpCounter,
      recoverySalt: kept.salt,
      at: now,
    });
    await replaceRecoveryCodes(tx, userId, kept);
    if (wasOff) await deleteTrustedBrowsers(tx, userId);
    if (wasOff) await sendNotice(tx, deps, userId, 'second_factor_on', {}, id);
    else await sendNotice(tx, deps, userId, 'second_factor_moved');
    await clearCodes(tx, key);
    return recordTrustedBrowser(tx, deps, { userId, deviceToken, signedIn: true });
  });
  return { recoveryCodes: codes, cookie };
}
