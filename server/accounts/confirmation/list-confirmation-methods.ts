import type { ConfirmationMethod } from '#contract/accounts/confirmation.ts';
import type { Deps } from '#server/deps.ts';
import { countPasskeys } from '../passkeys/passkey-store.ts';
import { hasSecondFactor } from '../second-factor/second-factor-store.ts';
import { selectProviders } from '../sessions/confirmation-store.ts';

/**
 * How a user can prove to be the one; nothing: only by signing in again. Google only says which account was chosen, so it counts where
 * there is neither a password nor a second factor (decision 20).
 */
export async function listConfirmationMethods(
  { database: { sql } }: Pick<Deps, 'database'>,
  userId: string,
): Promise<ConfirmationMethod[]> {
  const [providers, passkeys, needsSecondFactor] = await Promise.all([
    selectProviders(sql, userId),
    countPasskeys(sql, userId),
    hasSecondFactor(sql, userId),
  ]);
  const hasPassword = providers.includes('credential');
  const methods: ConfirmationMethod[] = [];
  if (needsSecondFactor) methods.push('code');
  if (!needsSecondFactor && hasPassword) methods.push('password');
  if (passkeys > 0) methods.push('passkey');
  if (!needsSecondFactor && !hasPassword && providers.includes('google')) methods.push('google');
  return methods;
}
