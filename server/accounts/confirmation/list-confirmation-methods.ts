import type { ConfirmationMethod } from '#contract/accounts/confirmation.ts';
import type { Deps } from '#server/deps.ts';
import { countPasskeys } from '../passkeys/passkey-store.ts';
import { hasSecondFactor } from '../second-factor/second-factor-store.ts';
import { selectProviders } from '../sessions/confirmation-store.ts';

/** How a user can prove to be the one; nothing: only by signing in again. */
export async function listConfirmationMethods(
  { database: { sql } }: Pick<Deps, 'database'>,
  userId: string,
): Promise<ConfirmationMethod[]> {
  const [providers, passkeys, needsSecondFactor] = await Promise.all([
    selectProviders(sql, userId),
    countPasskeys(sql, userId),
    hasSecondFactor(sql, userId),
  ]);
  const methods: ConfirmationMethod[] = [];
  if (needsSecondFactor) methods.push('code');
  if (!needsSecondFactor && providers.includes('credential')) methods.push('password');
  if (passkeys > 0) methods.push('passkey');
  if (!needsSecondFactor && providers.includes('google')) methods.push('google');
  return methods;
}
