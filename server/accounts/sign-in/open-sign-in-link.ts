import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { clearRateLimits } from '#server/platform/database/rate-limit.ts';
import { ATTEMPT_KEYS } from '../abuse/attempt-key-rules.ts';
import { recordTrustedBrowser } from '../devices/record-trusted-browser.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { redeemMailedProof } from '../users/mailed-proof-store.ts';

/**
 * Trusts the browser that opens the link of a mail, which is good once: it signs no one in, but whoever knows the password may give it
 * here, whatever strangers do. Another link can be asked for at once. Throws `sign_in_link_invalid`.
 */
export async function openSignInLink(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  token: string,
  deviceToken: string | null,
): Promise<{ email: string; cookie: string }> {
  return deps.database.sql.begin(async (tx) => {
    const redeemed = await redeemMailedProof(tx, 'sign-in-link', hashProof(token), deps.clock.now());
    if (!redeemed) throw new AppError('sign_in_link_invalid');
    const { userId, sentTo: email } = redeemed.proof;
    if (deviceToken !== null)
      await clearRateLimits(tx, ATTEMPT_KEYS.signInOfBrowser(email, hashProof(deviceToken)));
    await clearRateLimits(tx, ATTEMPT_KEYS.signInLinkTo(email));
    const cookie = await recordTrustedBrowser(tx, deps, { userId, deviceToken, signedIn: false });
    return { email, cookie };
  });
}
