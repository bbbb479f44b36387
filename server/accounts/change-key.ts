import type { ApiKey, ChangeKey } from '#contract/keys.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { requireName } from '#server/platform/clean-text.ts';
import { lockKey, updateKey } from './key-store.ts';
import { presentKey } from './present-key.ts';

/** Changes the name or scopes of a key; requests that run already go on. Throws `not_found`. */
export async function changeKey(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  id: string,
  change: ChangeKey,
): Promise<ApiKey> {
  const row = await database.sql.begin(async (tx) => {
    const key = await lockKey(tx, userId, id);
    if (!key) return null;
    const { expiresAt, ...rest } = change;
    return updateKey(tx, {
      ...key,
      ...rest,
      name: rest.name === undefined ? key.name : requireName(rest.name, 'name'),
      models: rest.models === undefined ? key.models : rest.models,
      monthlyCap: rest.monthlyCap === undefined ? key.monthlyCap : rest.monthlyCap,
      allowedAddresses: rest.allowedAddresses === undefined ? key.allowedAddresses : rest.allowedAddresses,
      expiresAt: expiresAt === undefined ? key.expiresAt : expiresAt === null ? null : new Date(expiresAt),
      userId,
      id,
    });
  });
  if (!row) throw new AppError('not_found');
  return presentKey(row);
}
