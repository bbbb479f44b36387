import type { ApiKey, ChangeKey } from '#contract/keys.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { requireName } from '#server/platform/clean-text.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { lockOwnAccount } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { limitChanges, sendNotice } from '../users/send-notice.ts';
import { type KeyScopes, lockKey, updateKey } from './key-store.ts';
import { presentKey } from './list-keys.ts';

/**
 * Changes the name or scopes of a key; requests that run already go on. What lets the key do more asks for a fresh proof, and its
 * a mail informs the owner. Throws `confirmation_required`, `rate_limited`, `not_found`.
 */
export async function changeKey(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  actor: Actor,
  id: string,
  { expiresAt, name, ...scopes }: ChangeKey,
): Promise<ApiKey> {
  const { userId } = actor;
  const row = await deps.database.sql.begin(async (tx) => {
    await lockOwnAccount(tx, actor);
    const key = await lockKey(tx, userId, id);
    if (!key) return null;
    const given = Object.fromEntries(Object.entries(scopes).filter(([, value]) => value !== undefined));
    const changed = {
      ...key,
      ...given,
      name: name === undefined ? key.name : requireName(name, 'name'),
      expiresAt: expiresAt === undefined ? key.expiresAt : expiresAt === null ? null : new Date(expiresAt),
    };
    if (isWider(changed, key)) {
      const within = { ...deps, database: { sql: tx } };
      await requireConfirmed(within, actor);
      await limitChanges(within, userId);
      await sendNotice(tx, deps, userId, 'api_key_changed', { name: changed.name, prefix: key.prefix }, id);
    }
    return updateKey(tx, { ...changed, userId });
  });
  if (!row) throw new AppError('not_found');
  return presentKey(row);
}

/** True when a key may do anything by the scopes that it may not do by those before; null is without a limit. */
function isWider(after: KeyScopes, before: KeyScopes): boolean {
  const exceeds = (one: number | null, other: number | null) =>
    other !== null && (one === null || one > other);
  const adds = (some: string[] | null, others: string[] | null) =>
    others !== null && (some === null || some.some((one) => !others.includes(one)));
  return (
    adds(after.models, before.models) ||
    adds(after.allowedAddresses, before.allowedAddresses) ||
    exceeds(after.monthlyCap, before.monthlyCap) ||
    exceeds(after.expiresAt?.getTime() ?? null, before.expiresAt?.getTime() ?? null)
  );
}
